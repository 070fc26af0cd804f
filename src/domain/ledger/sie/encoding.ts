/**
 * In which encoding a SIE file is written. All should be in code page 437, and many are not, whatever their
 * #FORMAT says; so the bytes themselves are asked.
 */
import { decodePc8 } from './code-page.ts';

export type SieEncoding = 'CP437' | 'Latin-1' | 'Windows-1252' | 'UTF-8' | 'UTF-16';

/** What a whole file says of its encoding. */
export interface SieLetters {
  /** What most of it is written in. */
  readonly encoding: SieEncoding;
  readonly hasByteOrderMark: boolean;
  /** What a line is written in that is not UTF-8. */
  readonly singleByte: 'CP437' | 'Windows-1252';
}

/** åäöÅÄÖéüÜ, which in Latin-1 would be control characters and signs of typography. */
const swedishInPc8 = new Set([0x86, 0x84, 0x94, 0x8f, 0x8e, 0x99, 0x82, 0x81, 0x9a]);
/** The same in Latin-1 and Windows-1252, which in code page 437 would be Greek, lines and mathematics. */
const swedishInLatin = new Set([0xe5, 0xe4, 0xf6, 0xc5, 0xc4, 0xd6, 0xe9, 0xfc, 0xdc]);

/** The length of the UTF-8 sign beyond ASCII that begins here; 0 when none does (RFC 3629). */
function utf8Length(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (length === 0 || second < least || second > most) return 0;
  for (let next = at + 2; next < at + length; next += 1) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** Where the first byte beyond ASCII stands, at or after `from`; the length when there is none. */
function beyondAscii(bytes: Uint8Array, from = 0): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at += 1;
  return at;
}

function isUtf8(bytes: Uint8Array): boolean {
  for (let at = beyondAscii(bytes); at < bytes.length; at = beyondAscii(bytes, at)) {
    const length = utf8Length(bytes, at);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

const utf8 = new TextDecoder('utf-8');
const windows1252 = new TextDecoder('windows-1252');

/** Counts the signs beyond ASCII of a file, chunk by chunk, and says what it is written in. */
export class SieEncodingScan {
  #rest = new Uint8Array();
  #start: readonly number[] = [];
  #utf8 = 0;
  #pc8 = 0;
  #latin = 0;
  #other = 0;
  #hasControls = false;

  read(chunk: Uint8Array): void {
    if (this.#start.length < 3) this.#start = [...this.#start, ...chunk.subarray(0, 3)].slice(0, 3);
    let bytes = chunk;
    if (this.#rest.length > 0) {
      bytes = new Uint8Array(this.#rest.length + chunk.length);
      bytes.set(this.#rest);
      bytes.set(chunk, this.#rest.length);
    }
    // The last three bytes may begin a sign that ends in the next chunk.
    const counted = this.#count(bytes, bytes.length - 3);
    this.#rest = bytes.slice(counted);
  }

  end(): SieLetters {
    this.#count(this.#rest, this.#rest.length);
    const [first, second, third] = this.#start;
    const hasByteOrderMark = first === 0xef && second === 0xbb && third === 0xbf;
    const isUtf16 =
      (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0;
    const single = this.#pc8 + this.#latin + this.#other;
    const singleByte = this.#latin > this.#pc8 ? 'Windows-1252' : 'CP437';
    const named =
      singleByte === 'Windows-1252' && !this.#hasControls ? ('Latin-1' as const) : singleByte;
    const encoding = isUtf16 ? 'UTF-16' : hasByteOrderMark || this.#utf8 > single ? 'UTF-8' : named;
    return { encoding, hasByteOrderMark, singleByte };
  }

  /** Counts signs that begin before `end`; answers where the next begins. */
  #count(bytes: Uint8Array, end: number): number {
    let at = beyondAscii(bytes);
    while (at < end) {
      const length = utf8Length(bytes, at);
      if (length > 0) this.#utf8 += 1;
      else this.#countSingle(bytes[at] ?? 0);
      at = beyondAscii(bytes, at + Math.max(length, 1));
    }
    return Math.min(at, bytes.length);
  }

  #countSingle(byte: number): void {
    if (swedishInPc8.has(byte)) this.#pc8 += 1;
    else if (swedishInLatin.has(byte)) this.#latin += 1;
    else this.#other += 1;
    if (byte < 0xa0) this.#hasControls = true;
  }
}

export interface DecodedLine {
  readonly text: string;
  /** What its signs beyond ASCII are in; null without such. */
  readonly as: 'UTF-8' | 'CP437' | 'Windows-1252' | null;
}

/**
 * The text of one line. Files put together of several have lines in different encodings: what is UTF-8 is
 * read so, since no Swedish text in another encoding looks like it.
 */
export function decodeLine(bytes: Uint8Array, { singleByte }: SieLetters): DecodedLine {
  if (beyondAscii(bytes) === bytes.length) return { text: utf8.decode(bytes), as: null };
  if (isUtf8(bytes)) return { text: utf8.decode(bytes), as: 'UTF-8' };
  const text = singleByte === 'CP437' ? decodePc8(bytes) : windows1252.decode(bytes);
  return { text, as: singleByte };
}
