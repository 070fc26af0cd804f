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

/** What a file in HEIF says in its first box that it holds (ISO/IEC 14496-12, 23008-12 annex B): pictures in HEVC, */
const pictureBrands = ['heic', 'heix', 'heim', 'heis'];
/** pictures in a coding that other brands tell, HEVC if none does, */
const anyPicture = 'mif1';
const otherCodings = ['avif', 'avci', 'jpeg', 'j2ki', 'vvic'];
/** or pictures one after another, as in a film. */
const sequenceBrands = ['hevc', 'hevx', 'hevm', 'hevs', 'avis', 'avcs', 'msf1'];
const brandBytesMax = 1024;

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
  if (isHeic(brandsOf(bytes))) return 'image/heic';
  const text = textOf(bytes);
  if (text === null) return null;
  if (/^\ufeff?\s*<\?xml\b/.test(text)) return 'application/xml';
  return /\.csv$/i.test(fileName) ? 'text/csv' : 'text/plain';
}

/** Several pictures one after another, of which none is the one to show. */
export function isPictureSequence(bytes: Buffer): boolean {
  const brands = brandsOf(bytes);
  return !isHeic(brands) && sequenceBrands.some((brand) => brands.has(brand));
}

/** One picture that is shown, perhaps among others; in a coding that we can show. */
const isHeic = (brands: ReadonlySet<string>): boolean =>
  pictureBrands.some((brand) => brands.has(brand)) ||
  (brands.has(anyPicture) && !otherCodings.some((brand) => brands.has(brand)));

/** All that the first box lists, the foremost and the others alike: which one is foremost tells little. */
function brandsOf(bytes: Buffer): ReadonlySet<string> {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return new Set();
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, brandBytesMax);
  const words = Math.max(1, Math.floor((end - 8) / 4));
  const texts = Array.from({ length: words }, (_, at) => 8 + 4 * at)
    // Between the foremost and the others stands a version.
    .filter((at) => at !== 12)
    .map((at) => bytes.toString('latin1', at, at + 4));
  return new Set(texts);
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
