/**
 * Bytes to text, strictly: the byte order mark decides, then the XML declaration, then UTF-8
 * (XML 1.0, appendix F). A byte that the encoding does not know is refused, never replaced.
 */
import { UnreadableDocument } from './unreadable.ts';

const declaration =
  /^<\?xml[ \t\r\n][^>]{0,200}?encoding[ \t\r\n]*=[ \t\r\n]*["']([A-Za-z][A-Za-z0-9._-]{0,40})["']/;

/** The characters of windows-1252 at 0x80–0x9F; the code page leaves five places empty (0). */
const windows1252High = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
  0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161,
  0x203a, 0x0153, 0, 0x017e, 0x0178,
];

export type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'iso-8859-1'
  | 'us-ascii'
  | 'windows-1252';

export interface DecodedXml {
  readonly text: string;
  readonly encoding: Encoding;
  /** Bytes before the text: the byte order mark. */
  readonly mark_length: number;
}

const declaredNames: ReadonlyMap<string, Encoding> = new Map<string, Encoding>(
  Object.entries({
    'utf-8': 'utf-8',
    utf8: 'utf-8',
    'iso-8859-1': 'iso-8859-1',
    latin1: 'iso-8859-1',
    'us-ascii': 'us-ascii',
    ascii: 'us-ascii',
    'windows-1252': 'windows-1252',
    cp1252: 'windows-1252',
  }),
);

/** The text of a document, without byte order mark. Throws UnreadableDocument (XML-ENCODING). */
export function decodeXml(bytes: Uint8Array): DecodedXml {
  const { encoding, mark_length } = detect(bytes);
  return { text: decode(encoding, bytes.subarray(mark_length)), encoding, mark_length };
}

/** The bytes that hold the text from one offset to another, as they stood in the document. */
export function bytesBetween(
  bytes: Uint8Array,
  { text, encoding, mark_length }: DecodedXml,
  from: number,
  to: number,
): Uint8Array {
  const size = (part: string): number => {
    if (encoding === 'utf-8') return Buffer.byteLength(part);
    return encoding.startsWith('utf-16') ? part.length * 2 : part.length;
  };
  const start = mark_length + size(text.slice(0, from));
  return bytes.subarray(start, start + size(text.slice(from, to)));
}

function detect(bytes: Uint8Array): Omit<DecodedXml, 'text'> {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', mark_length: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', mark_length: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', mark_length: 2 };
  // Without a mark, the zero half of the first "<" tells.
  if (a === 0x3c && b === 0 && d === 0) return { encoding: 'utf-16le', mark_length: 0 };
  if (a === 0 && b === 0x3c && c === 0) return { encoding: 'utf-16be', mark_length: 0 };
  const declared = declaredEncoding(bytes) ?? 'utf-8';
  const encoding = declaredNames.get(declared.toLowerCase());
  if (encoding) return { encoding, mark_length: 0 };
  const what = /^utf-?16(le|be)?$/i.test(declared)
    ? `Dokumentet uppger teckenkodningen ${declared} men är inte skrivet i den.`
    : `Teckenkodningen ${declared} kan inte läsas; använd UTF-8.`;
  throw new UnreadableDocument('XML-ENCODING', what);
}

function decode(encoding: Encoding, bytes: Uint8Array): string {
  if (encoding === 'iso-8859-1') return decodeLatin1(bytes);
  if (encoding === 'us-ascii') return decodeAscii(bytes);
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  return decodeUnicode(encoding, bytes);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 300));
  return declaration.exec(start.toString('latin1'))?.[1];
}

const strict = { fatal: true, ignoreBOM: true } as const;
const utf8 = new TextDecoder('utf-8', strict);

function decodeUnicode(encoding: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Uint8Array): string {
  const decoder = encoding === 'utf-8' ? utf8 : new TextDecoder(encoding, strict);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new UnreadableDocument(
      'XML-ENCODING',
      `Dokumentet ska vara skrivet i ${encoding.toUpperCase()}, men innehåller byte som inte är det.`,
    );
  }
}

function decodeLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function decodeAscii(bytes: Uint8Array): string {
  const text = decodeLatin1(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/[^\x00-\x7f]/.test(text)) throw notIn('US-ASCII');
  return text;
}

function decodeWindows1252(bytes: Uint8Array): string {
  return decodeLatin1(bytes).replace(/[\u0080-\u009f]/g, (character) => {
    const code = windows1252High[character.charCodeAt(0) - 0x80];
    if (!code) throw notIn('windows-1252');
    return String.fromCharCode(code);
  });
}

function notIn(encoding: string): UnreadableDocument {
  return new UnreadableDocument(
    'XML-ENCODING',
    `Dokumentet uppger teckenkodningen ${encoding}, men innehåller byte som inte finns i den.`,
  );
}
