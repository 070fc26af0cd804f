/** One line of a SIE file as a label and its fields (SIE 4B 5.3–5.7). */
import { objectsPlace } from './posts.ts';

/** A word or text; of a list in braces, its words. */
export type SieField = string | readonly string[];

export interface SieSyntax {
  /** In capitals, without the hash. */
  readonly label: string;
  /** As it stands, hash included: the checksum counts it so. */
  readonly written: string;
  readonly fields: readonly SieField[];
  /** A quotation mark or brace that nothing closes. */
  readonly isUnclosed: boolean;
}

/** No post of the format has half as many; a line full of words is no post. */
const fieldsMax = 50;
const listMax = 100;

const isSpace = (sign: string | undefined): boolean => sign === ' ' || sign === '\t';

/** The post on a line that begins with a hash; the line has no spaces around it. */
export function readSyntax(line: string): SieSyntax {
  const end = line.search(/[ \t"{]/);
  const written = end < 0 ? line : line.slice(0, end);
  const label = written.slice(1).toUpperCase();
  const scan = new FieldScan(line, written.length);
  return { label, written, fields: scan.fields(objectsPlace(label)), isUnclosed: scan.isUnclosed };
}

class FieldScan {
  isUnclosed = false;
  readonly #line: string;
  #at: number;

  constructor(line: string, from: number) {
    this.#line = line;
    this.#at = from;
  }

  /** Braces hold a list at `listPlace`; anywhere else they are signs like others. */
  fields(listPlace: number): SieField[] {
    const fields: SieField[] = [];
    while (this.#skipSpaces() && fields.length < fieldsMax) {
      const isList = fields.length === listPlace && this.#line[this.#at] === '{';
      fields.push(isList ? this.#list() : this.#word(fields.length + 1 === listPlace ? '{' : ''));
    }
    return fields;
  }

  /** False at the end of the line. */
  #skipSpaces(): boolean {
    while (isSpace(this.#line[this.#at])) this.#at += 1;
    return this.#at < this.#line.length;
  }

  #list(): string[] {
    const words: string[] = [];
    this.#at += 1;
    while (this.#skipSpaces()) {
      if (this.#line[this.#at] === '}') {
        this.#at += 1;
        return words;
      }
      const word = this.#word('}');
      if (words.length < listMax) words.push(word);
    }
    this.isUnclosed = true;
    return words;
  }

  /** A quoted text, or signs until a space or `stop`. */
  #word(stop: string): string {
    return this.#line[this.#at] === '"' ? this.#quoted() : this.#bare(stop);
  }

  #bare(stop: string): string {
    const from = this.#at;
    while (this.#at < this.#line.length) {
      const sign = this.#line[this.#at];
      if (isSpace(sign) || sign === stop) break;
      this.#at += 1;
    }
    return detached(unescaped(this.#line.slice(from, this.#at)), this.#line);
  }

  #quoted(): string {
    const from = this.#at + 1;
    let close = this.#line.indexOf('"', from);
    // `\"` is a quotation mark within the text. At the line's end it is a path that ends so: "C:\Bolag\".
    while (close >= 0 && this.#line[close - 1] === '\\' && close < this.#line.length - 1) {
      close = this.#line.indexOf('"', close + 1);
    }
    if (close < 0) this.isUnclosed = true;
    const end = close < 0 ? this.#line.length : close;
    this.#at = end + 1;
    return detached(unescaped(this.#line.slice(from, end)), this.#line);
  }
}

const unescaped = (text: string): string =>
  text.includes('\\"') ? text.replaceAll('\\"', '"') : text;

/** A part of a text may keep the whole of it in memory. Where that is much, the part is made a text of its own. */
const detached = (part: string, whole: string): string =>
  whole.length > 500 ? `${part} `.slice(0, -1) : part;

/** At most so much of a text, to be kept. */
export const shortened = (text: string, max: number): string =>
  text.length > max ? detached(text.slice(0, max), text) : text;
