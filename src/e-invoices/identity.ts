/** What an e-invoice is known by: the bytes of the invoice itself, in whatever envelope they come. */

const wrapped =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:([A-Za-z_][\w.-]*):)?StandardBusinessDocument[\s>]/;

/**
 * The invoice's bytes as they stand inside a Standard Business Document, or all of them when there is no
 * such envelope around. Only looks for where it begins and ends: what is inside is the worker's to judge.
 */
export function documentBytes(bytes: Buffer): Buffer {
  // Latin-1 gives one character a byte, so that places in the text are places in the bytes.
  const text = bytes.toString('latin1');
  const [root, prefix] = wrapped.exec(text) ?? [];
  if (root === undefined) return bytes;
  const name = prefix === undefined ? '' : `${prefix}:`;
  const header = /<\/(?:[A-Za-z_][\w.-]*:)?StandardBusinessDocumentHeader\s*>/.exec(text);
  const end = text.lastIndexOf(`</${name}StandardBusinessDocument`);
  if (!header || end < header.index) return bytes;
  const inner = text.slice(header.index + header[0].length, end);
  const start = header.index + header[0].length + (inner.length - inner.trimStart().length);
  return bytes.subarray(start, start + inner.trim().length);
}
