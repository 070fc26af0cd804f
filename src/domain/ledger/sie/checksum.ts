/** CRC-32 as SIE asks for it (SIE 4B 10.11–10.13): reversed polynomial EDB88320, begun and ended inverted. */
import { encodePc8 } from './code-page.ts';
import type { SieSyntax } from './syntax.ts';

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  }
  return value >>> 0;
});

export class Crc32 {
  #register = 0xffff_ffff;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#register = (this.#register >>> 8) ^ (table[(this.#register ^ byte) & 0xff] ?? 0);
    }
  }

  /** Of all that was added so far. */
  get value(): number {
    return (this.#register ^ 0xffff_ffff) >>> 0;
  }
}

/**
 * What of a post is counted: its label and what is in its fields, without the spaces between them, the
 * quotation marks around them and braces, as signs of code page 437 (SIE 4B 10.14).
 */
export const checksumBytes = (syntax: SieSyntax, encode = encodePc8): Uint8Array =>
  encode(syntax.written + syntax.fields.flat().join(''));
