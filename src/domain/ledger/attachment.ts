/** What may document a voucher: readable for as long as the books are kept (bokföringslagen 7 kap.). */

export const attachmentMaxBytes = 10 * 1024 * 1024;

export const mediaTypes = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/heic',
  'text/csv',
  'text/plain',
  'application/xml',
] as const;
export type MediaType = (typeof mediaTypes)[number];

const fileNameMax = 200;

/** The first box of a picture as Apple's telephones take them (ISO/IEC 23008-12): its type and major brand. */
const heicBrands: ReadonlySet<string> = new Set(
  ['heic', 'heix', 'heim', 'heis', 'mif1'].map((brand) => `ftyp${brand}`),
);

/**
 * The media type of a file by its content; a text's kind is told by its name. Null for what is not
 * kept: programs, archives, office documents, and texts that are not UTF-8.
 */
export function mediaTypeOf(bytes: Buffer, fileName: string): MediaType | null {
  const begins = (text: string) =>
    bytes.subarray(0, text.length).equals(Buffer.from(text, 'latin1'));
  if (begins('%PDF-')) return 'application/pdf';
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begins('\xff\xd8\xff')) return 'image/jpeg';
  if (heicBrands.has(bytes.toString('latin1', 4, 12))) return 'image/heic';
  const text = textOf(bytes);
  if (text === null) return null;
  if (/^\ufeff?\s*<\?xml\b/.test(text)) return 'application/xml';
  return /\.csv$/i.test(fileName) ? 'text/csv' : 'text/plain';
}

function textOf(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: binary files are told by them.
    return /[\x00-\x08\x0e-\x1f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** The last part of a path, without what a file system or a header could take for something else. */
export function plainFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  const kept = [...plain].slice(-fileNameMax).join('');
  return /^\.*$/.test(kept) ? 'underlag' : kept;
}
