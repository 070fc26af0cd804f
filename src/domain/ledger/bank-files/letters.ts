/**
 * In which encoding a file of a bank is written, and its text. XML says so itself (XML 1.0, appendix F); of CSV the
 * bytes are asked: byte order mark, then UTF-8 where all of it is that, then Windows-1252, of which Latin-1 is a part.
 */

export type BankFileForm = 'xml' | 'csv' | 'xlsx' | 'xls' | 'bgmax' | 'pdf' | 'mt940' | 'empty';

export interface BankFileLetters {
  readonly form: BankFileForm;
  /** As TextDecoder knows it; the name the file gives itself when it is not one we read. */
  readonly encoding: string;
  readonly isReadable: boolean;
}

/** By what files call them; Latin-1 is read as Windows-1252, which differs in control characters only. */
const readable: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
]);
const declaration = /^<\?xml[^>]{0,200}encoding\s?=\s?["']([A-Za-z][A-Za-z0-9._-]{0,40})["']/;
const beginningMax = 512;

/** Reads the beginning of a file, and the whole of it where only that tells. */
export class BankLettersScan {
  #beginning = new Uint8Array();
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  #isUtf8 = true;

  /** Whether more bytes would change nothing. */
  read(chunk: Uint8Array): boolean {
    const room = beginningMax - this.#beginning.length;
    if (room > 0) {
      const longer = new Uint8Array(this.#beginning.length + Math.min(room, chunk.length));
      longer.set(this.#beginning);
      longer.set(chunk.subarray(0, room), this.#beginning.length);
      this.#beginning = longer;
    }
    this.#tryUtf8(chunk);
    return !this.#isUtf8 || (this.#beginning.length === beginningMax && this.#form() !== 'csv');
  }

  end(): BankFileLetters {
    this.#tryUtf8();
    const form = this.#form();
    const marked = this.#marked();
    if (marked) return { form, encoding: marked, isReadable: true };
    if (form !== 'xml') {
      return { form, encoding: this.#isUtf8 ? 'utf-8' : 'windows-1252', isReadable: true };
    }
    const declared = declaration.exec(latin(this.#beginning).trimStart())?.[1] ?? 'utf-8';
    const encoding = readable.get(declared.toLowerCase());
    return { form, encoding: encoding ?? declared, isReadable: encoding !== undefined };
  }

  #tryUtf8(chunk?: Uint8Array): void {
    if (!this.#isUtf8) return;
    try {
      if (chunk) this.#utf8.decode(chunk, { stream: true });
      else this.#utf8.decode();
    } catch {
      this.#isUtf8 = false;
    }
  }

  #marked(): string | null {
    const [first, second, third] = this.#beginning;
    if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
    if (first === 0xff && second === 0xfe) return 'utf-16le';
    if (first === 0xfe && second === 0xff) return 'utf-16be';
    return null;
  }

  #form(): BankFileForm {
    const marked = this.#marked();
    const text = marked ? new TextDecoder(marked).decode(this.#beginning) : latin(this.#beginning);
    const begun = text.trimStart();
    if (begun === '') return 'empty';
    if (begun.startsWith('PK\u0003\u0004')) return 'xlsx';
    // Of old workbooks, and of those with a password.
    if (begun.startsWith('\u00d0\u00cf\u0011\u00e0')) return 'xls';
    if (begun.startsWith('01BGMAX')) return 'bgmax';
    if (begun.startsWith('%PDF-')) return 'pdf';
    // In SWIFT's envelope, or without it.
    if (/^(\{1:|:20:)/.test(begun)) return 'mt940';
    return begun.startsWith('<') ? 'xml' : 'csv';
  }
}

const latin = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes);
