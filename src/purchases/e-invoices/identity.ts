/** What an e-invoice is known by: the bytes of the invoice itself, in whatever envelope they come. */

import { trimBlanks } from '../../peppol/decimal.ts';

const envelope = /<(?:([A-Za-z_][\w.-]*):)?StandardBusinessDocument[ \t\r\n>]/y;

/**
 * The invoice's bytes as they stand inside a Standard Business Document, or all of them when there is no
 * such envelope around. Only looks for where it begins and ends: what is inside is the worker's to judge.
 */
export function documentBytes(bytes: Buffer): Buffer {
  // Latin-1 gives one character a byte, so that places in the text are places in the bytes.
  const text = bytes.toString('latin1');
  envelope.lastIndex = rootIndex(text);
  const [root, prefix] = envelope.exec(text) ?? [];
  if (root === undefined) return bytes;
  const name = prefix === undefined ? '' : `${prefix}:`;
  const header = /<\/(?:[A-Za-z_][\w.-]*:)?StandardBusinessDocumentHeader[ \t\r\n]*>/.exec(text);
  const end = text.lastIndexOf(`</${name}StandardBusinessDocument`);
  if (!header || end < header.index) return bytes;
  const inner = text.slice(header.index + header[0].length, end);
  const document = trimBlanks(inner);
  const start = header.index + header[0].length + inner.indexOf(document);
  return bytes.subarray(start, start + document.length);
}

const byteOrderMark = '\xef\xbb\xbf';
const space = /[ \t\r\n]*/y;
const skipped = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

/**
 * Where the first element begins, after declaration, comments and white space. Walked a step at a time:
 * as one pattern, each comment more would double the ways to read the ones before it.
 */
function rootIndex(text: string): number {
  let index = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (;;) {
    space.lastIndex = index;
    space.exec(text);
    index = space.lastIndex;
    const [open, close] = skipped.find(([begin]) => text.startsWith(begin, index)) ?? [];
    if (open === undefined) return index;
    const end = text.indexOf(close, index + open.length);
    if (end < 0) return index;
    index = end + close.length;
  }
}
