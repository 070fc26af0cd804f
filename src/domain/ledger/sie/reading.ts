/**
 * SIE files read as they come, types 1–4: the posts of a file out of its bytes, and what is wrong with its
 * form. Lenient where real files are, strict where money or dates would be guessed. Memory is bounded
 * whatever the file holds: by its longest line and its largest voucher, and both have limits.
 */
import { Crc32, checksumBytes } from './checksum.ts';
import { decodeLine, type SieLetters } from './encoding.ts';
import { lineBytesMax, type SieLine, SieLines } from './lines.ts';
import {
  fieldsOf,
  isLabel,
  isRowLabel,
  objectsPlace,
  type SieLabel,
  type SiePost,
  type SieRow,
  type SieVoucher,
} from './posts.ts';
import type { SieProblems } from './problems.ts';
import { readSyntax, type SieField, type SieSyntax } from './syntax.ts';
import { readValue, type ValueFault } from './values.ts';

/** A post and where it stands. */
export interface SieEntry {
  /** Counted from 1. */
  readonly line: number;
  readonly post: SiePost;
  /** Of a voucher: the line of each of its rows. */
  readonly rowLines?: readonly number[];
  /** Something of it could not be read, and has been told of; it stands as nothing, or 0. */
  readonly isDamaged?: boolean;
}

/** More rows than this are no voucher anybody has made. */
export const rowsMax = 100_000;
/** And no longer text than this has any. */
const voucherBytesMax = 16 * 1024 * 1024;
/** Posts whose figures and dates become the books: a fault in them is no detail. */
const essential: ReadonlySet<string> = new Set(['VER', 'TRANS', 'IB', 'UB', 'RES']);
const shownMax = 60;

interface OpenVoucher {
  readonly line: number;
  readonly post: SieVoucher;
  readonly rows: SieRow[];
  readonly rowLines: number[];
  /** Of its lines. */
  bytes: number;
  isInBraces: boolean;
  isDamaged: boolean;
}

export class SieReader {
  readonly #letters: SieLetters;
  readonly #problems: SieProblems;
  readonly #lines = new SieLines();
  readonly #counts = new Map<SieLabel, number>();
  #open: OpenVoucher | null = null;
  #hasPosts = false;
  #isRefused = false;
  #entries: SieEntry[] = [];
  /** Of code page 437, and of the bytes as they stand, from the first #KSUMMA on. */
  #checksums: readonly [Crc32, Crc32] | null = null;
  #isChecked = false;
  #lastLine = 0;

  constructor(letters: SieLetters, problems: SieProblems) {
    this.#letters = letters;
    this.#problems = problems;
    if (letters.encoding === 'UTF-16') this.#refuse(() => problems.add('utf16', 1, {}));
  }

  /** How many posts of the label there were, those that could not be read too. */
  countOf(label: SieLabel): number {
    return this.#counts.get(label) ?? 0;
  }

  /** The posts that end in the chunk. */
  read(chunk: Uint8Array): SieEntry[] {
    if (this.#isRefused) return [];
    for (const line of this.#lines.read(chunk)) this.#readLine(line);
    return this.#taken();
  }

  /** What was left, once the last chunk has been read. */
  end(): SieEntry[] {
    for (const line of this.#isRefused ? [] : this.#lines.end()) this.#readLine(line);
    if (!this.#hasPosts && !this.#isRefused) this.#problems.add('not_sie', null, { found: '' });
    // A file may be cut before the brace, too; a voucher that was struck has one at least.
    if (this.#open && (this.#open.isInBraces || this.#open.rows.length === 0)) {
      this.#problems.add('file_cut', this.#lastLine, { voucher: nameOf(this.#open.post) });
    }
    this.#closeVoucher();
    if (this.#checksums && !this.#isChecked) {
      this.#problems.add('checksum_missing', this.#lastLine, {});
    }
    return this.#taken();
  }

  #taken(): SieEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  #refuse(tell: () => void): void {
    tell();
    this.#isRefused = true;
  }

  #readLine({ number, bytes, isCut }: SieLine): void {
    if (this.#isRefused) return;
    this.#lastLine = number;
    const { text, as } = decodeLine(bytes, this.#letters);
    const line = (number === 1 ? text.replace(/^\ufeff/, '') : text).trim();
    if (isCut) {
      this.#problems.add('line_too_long', number, { max: lineBytesMax });
      // Half a voucher's row must not make the voucher look unbalanced as well.
      if (this.#open) this.#open.isDamaged = true;
      return;
    }
    if (line === '') return;
    if (!this.#hasPosts && !line.startsWith('#')) {
      this.#refuse(() => this.#problems.add('not_sie', number, { found: shown(line) }));
      return;
    }
    this.#checkLetters(number, as);
    if (line === '{') this.#openBrace(number);
    else if (line === '}') this.#closeBrace(number);
    else if (line.startsWith('#')) this.#readPost(number, line, bytes);
    else this.#problems.add('not_a_post', number, { found: shown(line) });
  }

  #checkLetters(line: number, as: 'UTF-8' | 'CP437' | 'Windows-1252' | null): void {
    const { encoding, singleByte } = this.#letters;
    if (as === null || as === (encoding === 'UTF-8' ? 'UTF-8' : singleByte)) return;
    this.#problems.add('mixed_encodings', line, { encoding, line: as });
  }

  #readPost(line: number, text: string, bytes: Uint8Array): void {
    const syntax = readSyntax(text);
    const { label } = syntax;
    if (!this.#hasPosts && label !== 'FLAGGA') this.#problems.add('flag_late', line, {});
    this.#hasPosts = true;
    if (label === 'KSUMMA') this.#readChecksum(line, syntax);
    else if (this.#checksums && !this.#isChecked) this.#addToChecksum(syntax, bytes);
    if (label === 'KSUMMA') return;
    if (syntax.isUnclosed) this.#problems.add('unclosed', line, { label });
    if (!isLabel(label)) {
      this.#problems.add('unknown_post', line, { label: shown(label) });
      return;
    }
    this.#counts.set(label, this.countOf(label) + 1);
    if (isRowLabel(label)) {
      this.#readRow(line, syntax, bytes.length);
      return;
    }
    this.#closeVoucher(line);
    // Some programs put the brace at the end of the voucher's own line, where it is no field.
    const isInBraces = label === 'VER' && text.endsWith('{') && syntax.fields.at(-1) === '{';
    const fields = isInBraces ? syntax.fields.slice(0, -1) : syntax.fields;
    const { post, isDamaged } = this.#postOf(label, line, fields);
    if (post === null) return;
    if (label !== 'VER') {
      const entry = { line, post: post as unknown as SiePost };
      this.#entries.push(isDamaged ? { ...entry, isDamaged } : entry);
      return;
    }
    const rows: SieRow[] = [];
    const voucher = { ...post, rows } as unknown as SieVoucher;
    this.#open = { line, post: voucher, rows, rowLines: [], bytes: 0, isInBraces, isDamaged };
  }

  #readRow(line: number, { label, fields }: SieSyntax, bytes: number): void {
    const voucher = this.#open;
    if (!voucher) {
      if (label === 'TRANS') this.#problems.add('row_outside_voucher', line, { label });
      return;
    }
    const { post, isDamaged } = this.#postOf(label as SieRow['label'], line, fields);
    if (typeof fields[1] === 'string') this.#problems.add('objects_unreadable', line, { label });
    if (isDamaged) voucher.isDamaged = true;
    if (post === null) return;
    voucher.bytes += bytes;
    if (voucher.rows.length === rowsMax || voucher.bytes > voucherBytesMax) {
      const isLong = voucher.bytes > voucherBytesMax;
      const params = isLong
        ? { max: voucherBytesMax, name: 'bytes' }
        : { max: rowsMax, name: 'rows' };
      this.#problems.add('too_many', line, params);
      voucher.isDamaged = true;
      return;
    }
    voucher.rows.push(post as unknown as SieRow);
    voucher.rowLines.push(line);
  }

  /** The post by its fields' names; null when it lacks what it is about, which is told. */
  #postOf(label: SieLabel, line: number, given: readonly SieField[]) {
    const fields = whole(label, given);
    const post: Record<string, unknown> = { label };
    let isDamaged = false;
    let isLost = false;
    let place = 0;
    for (const [name, kind] of fieldsOf(label)) {
      const field = fields[place];
      place += 1;
      const read = readValue(kind, field);
      if (read.fault !== undefined || read.isLoose === true) {
        const value = shown(typeof field === 'string' ? field : (field ?? []).join(' '));
        const isGrave = this.#tell(line, kind, { label, field: name, value }, read.fault);
        if (isGrave) isDamaged = true;
        else if (!kind.endsWith('?') && kind !== 'objects' && read.fault) isLost = true;
      }
      post[name] =
        typeof read.value === 'string' ? this.#plain(read.value, line, label) : read.value;
    }
    return { post: isLost ? null : post, isDamaged };
  }

  /** Whether what could not be read is money, a date or an account of the books. */
  #tell(
    line: number,
    kind: string,
    facts: { readonly label: string; readonly field: string; readonly value: string },
    fault: ValueFault | undefined,
  ): boolean {
    const { label } = facts;
    const isEssential = essential.has(label);
    if (kind === 'objects') this.#problems.add('objects_unreadable', line, { label });
    else if (fault === undefined) {
      if (isEssential) this.#problems.add('amount_form', line, facts);
    } else if (!isEssential || kind.endsWith('?')) {
      this.#problems.add('detail_unreadable', line, facts);
    } else {
      if (kind === 'code') this.#problems.add('account_missing', line, { label });
      else if (kind === 'year') this.#problems.add('year_unreadable', line, facts);
      else if (kind === 'date') this.#problems.add('date_unreadable', line, facts);
      else if (fault === 'decimals') this.#problems.add('amount_decimals', line, facts);
      else this.#problems.add('amount_unreadable', line, facts);
      return true;
    }
    return false;
  }

  /** Control characters are forbidden in SIE, and would be refused by the database. */
  #plain(text: string, line: number, label: string): string {
    if (text.includes('\ufffd')) this.#problems.add('lost_characters', line, { label });
    if (!/\p{Cc}/u.test(text)) return text;
    this.#problems.add('control_characters', line, { label });
    return text.replace(/\p{Cc}/gu, ' ');
  }

  #openBrace(line: number): void {
    if (!this.#open || this.#open.isInBraces) this.#problems.add('brace', line, { found: '{' });
    else this.#open.isInBraces = true;
  }

  #closeBrace(line: number): void {
    if (!this.#open?.isInBraces) this.#problems.add('brace', line, { found: '}' });
    this.#closeVoucher();
  }

  /** `line` is where the next post came although the voucher had no closing brace. */
  #closeVoucher(line: number | null = null): void {
    const voucher = this.#open;
    if (!voucher) return;
    this.#open = null;
    const isOpen = line !== null && (voucher.isInBraces || voucher.rows.length > 0);
    if (isOpen) this.#problems.add('voucher_open', line, { voucher: nameOf(voucher.post) });
    const { post, rowLines, isDamaged } = voucher;
    const entry = { line: voucher.line, post, rowLines };
    this.#entries.push(isDamaged ? { ...entry, isDamaged } : entry);
  }

  /** Begun by a #KSUMMA without a number, ended by one with (SIE 4B 10.4). */
  #readChecksum(line: number, { fields: [given] }: SieSyntax): void {
    if (given === undefined || given === '') {
      this.#checksums ??= [new Crc32(), new Crc32()];
      return;
    }
    if (!this.#checksums || this.#isChecked || typeof given !== 'string') return;
    this.#isChecked = true;
    const [inPc8, asWritten] = this.#checksums;
    // Some programs count the bytes of the encoding they write in; what they mean is as well proved.
    if ([inPc8, asWritten].some(({ value }) => String(value) === given)) return;
    const params = { given: shown(given), computed: String(inPc8.value) };
    this.#problems.add('checksum_wrong', line, params);
  }

  #addToChecksum(syntax: SieSyntax, bytes: Uint8Array): void {
    const [inPc8, asWritten] = this.#checksums ?? [];
    const isLatin = decodeLine(bytes, this.#letters).as === 'Windows-1252';
    inPc8?.add(checksumBytes(syntax));
    asWritten?.add(checksumBytes(syntax, isLatin ? encodeLatin1 : encodeUtf8));
  }
}

/**
 * The fields where they belong: a list of objects may be left out, and a company's name or a comment of
 * several words stands without its quotation marks in files typed by hand.
 */
function whole(label: SieLabel, fields: readonly SieField[]): readonly SieField[] {
  if (label === 'FNAMN' || label === 'PROSA') return [fields.flat().join(' ')];
  const place = objectsPlace(label);
  return place >= 0 && typeof fields[place] === 'string'
    ? [...fields.slice(0, place), [], ...fields.slice(place)]
    : fields;
}

const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const encodeLatin1 = (text: string): Uint8Array =>
  Uint8Array.from(text, (sign) => (sign <= '\u00ff' ? sign.charCodeAt(0) : 0x3f));

/** `A 12`, as people name a voucher; empty when it has neither series nor number. */
export const nameOf = ({ series, number }: Pick<SieVoucher, 'series' | 'number'>): string =>
  [series, number]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, shownMax);

/** So much of what stands in the file as a sentence about it has room for. */
const shown = (text: string): string => {
  const plain = text.replace(/\p{Cc}+/gu, ' ').trim();
  return plain.length > shownMax ? `${plain.slice(0, shownMax)}…` : plain;
};
