/**
 * SIE files written post by post, always in code page 437 (`#FORMAT PC8`), which is all that the format allows
 * (SIE 4B 5.8). The same posts give the same bytes.
 */
import { absolute, type Ore } from '../../basics/money.ts';
import { Crc32, checksumBytes } from './checksum.ts';
import { encodePc8, inPc8, isPlainPc8 } from './code-page.ts';
import { type FieldKind, fieldsOf, type SieObject, type SiePost, type SieRow } from './posts.ts';
import { readSyntax } from './syntax.ts';

/** A sign that code page 437 lacks, and what was written instead. */
export interface ReplacedSign {
  readonly sign: string;
  readonly by: string;
  readonly count: number;
  /** Where it stood first in the file written, counted from 1. */
  readonly line: number;
}

/** More signs than this are counted no longer; a company's books hold a few. */
const replacedMax = 1000;
const lineEnd = '\r\n';

export interface SieWriterOptions {
  /** Adds the two #KSUMMA by which a reader proves that the file came whole (SIE 4B 10). */
  readonly hasChecksum?: boolean;
}

export class SieWriter {
  readonly #replaced = new Map<string, { by: string; count: number; line: number }>();
  readonly #checksum: Crc32 | null;
  #isCounted = false;
  #line = 0;

  constructor({ hasChecksum = false }: SieWriterOptions = {}) {
    this.#checksum = hasChecksum ? new Crc32() : null;
  }

  /** The bytes of the post: its line, and for a voucher its rows in braces. */
  write(post: SiePost): Uint8Array {
    if (post.label !== 'VER') {
      const line = this.#lineOf(post);
      return encodePc8(post.label === 'FLAGGA' ? line + this.#begin() : line);
    }
    const head = this.#lineOf(post) + this.#plainLine('{');
    const rows = post.rows.map((row) => this.#lineOf(row));
    return encodePc8(head + rows.join('') + this.#plainLine('}'));
  }

  /** What stands after the last post: nothing, or the checksum. */
  end(): Uint8Array {
    return encodePc8(this.#isCounted ? this.#plainLine(`#KSUMMA ${this.#checksum?.value}`) : '');
  }

  /** For the export's report: every sign that had to be written as another, the first met first. */
  get replaced(): ReplacedSign[] {
    return [...this.#replaced].map(([sign, facts]) => ({ sign, ...facts }));
  }

  #begin(): string {
    if (!this.#checksum || this.#isCounted) return '';
    this.#isCounted = true;
    return this.#plainLine('#KSUMMA');
  }

  #plainLine(text: string): string {
    this.#line += 1;
    return text + lineEnd;
  }

  #lineOf(post: SiePost | SieRow): string {
    this.#line += 1;
    const values = post as unknown as Readonly<Record<string, unknown>>;
    const words = fieldsOf(post.label).map(([name, kind]) => this.#word(kind, values[name]));
    // Fields at the end that are left out are not written (SIE 4B 5.15).
    while (words.length > 1 && words.at(-1) === '""') words.pop();
    const line = [`#${post.label}`, ...words].join(' ');
    if (this.#isCounted) this.#checksum?.add(checksumBytes(readSyntax(line)));
    return line + lineEnd;
  }

  #word(kind: FieldKind, value: unknown): string {
    switch (kind) {
      case 'code':
      case 'code?':
        return this.#code(value as string);
      case 'text':
        return this.#quoted(value as string);
      case 'date':
      case 'date?':
      case 'period':
        return ((value as string | null) ?? '').replaceAll('-', '') || '""';
      case 'year':
        return String(value);
      case 'amount':
        return amountText(value as Ore);
      case 'quantity?':
        return (value as string | null) ?? '""';
      case 'objects':
        return this.#objects(value as readonly SieObject[]);
    }
  }

  #objects(objects: readonly SieObject[]): string {
    const pairs = objects.map(
      ({ dimension, code }) => `${this.#code(dimension)} ${this.#quoted(code)}`,
    );
    return `{${pairs.join(' ')}}`;
  }

  /** Bare when nothing in it could be taken for anything else. */
  #code(text: string): string {
    return /^[0-9A-Za-z]+$/.test(text) ? text : this.#quoted(text);
  }

  #quoted(text: string): string {
    if (isPlainPc8(text)) return `"${text}"`;
    const written = this.#inPc8(text.normalize('NFC')).replaceAll('"', '\\"');
    // A backslash last would make the quotation mark after it a sign of the text.
    const isOpen = text.endsWith('\\');
    if (isOpen) this.#replace('\\', '/');
    return `"${isOpen ? `${written.slice(0, -1)}/` : written}"`;
  }

  #inPc8(text: string): string {
    let written = '';
    for (const sign of text) {
      // Control characters are forbidden within texts (SIE 4B 5.7).
      const by = sign < ' ' || sign === '\u007f' ? ' ' : inPc8(sign);
      if (by !== sign) this.#replace(sign, by);
      written += by;
    }
    return written;
  }

  #replace(sign: string, by: string): void {
    const known = this.#replaced.get(sign);
    if (known) known.count += 1;
    else if (this.#replaced.size < replacedMax) {
      this.#replaced.set(sign, { by, count: 1, line: this.#line });
    }
  }
}

/** `-1063.50`: a point and two decimals, no plus sign (SIE 4B 5.9). */
function amountText(ore: Ore): string {
  const digits = String(absolute(ore)).padStart(3, '0');
  return `${ore < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
