/**
 * A file of a bank judged by itself, as it is read: what it holds, whether it adds up, and whether Huvudbok can take
 * it in. Nothing is looked up: the same file has the same answer everywhere on a day.
 */
import { BgMaxReader } from '../../domain/ledger/bank-files/bgmax.ts';
import { checkContinuity } from '../../domain/ledger/bank-files/continuity.ts';
import { CsvReader } from '../../domain/ledger/bank-files/csv.ts';
import type { CsvPreset } from '../../domain/ledger/bank-files/csv-presets.ts';
import type { BankFileLetters } from '../../domain/ledger/bank-files/letters.ts';
import type { FileSample } from '../../domain/ledger/bank-files/mapping.ts';
import {
  type BankFileProblem,
  BankFileProblems,
  type MoreOfReason,
} from '../../domain/ledger/bank-files/problems.ts';
import { SheetReader } from '../../domain/ledger/bank-files/sheet.ts';
import {
  type BankFileEvent,
  type BankStatement,
  bankFileBytesMax,
  latestDay,
} from '../../domain/ledger/bank-files/statement.ts';
import { CamtReader } from './camt.ts';
import { readWorkbook, workbookBytesMax } from './workbook.ts';

export type BankFileVerdict = 'ok' | 'doubt' | 'refused';

export interface BankFileJudgement {
  readonly verdict: BankFileVerdict;
  /** `camt.053.001.08`, `csv.seb`; null when it is unknown. */
  readonly format: string | null;
  readonly statements: readonly BankStatement[];
  readonly problems: readonly BankFileProblem[];
  readonly more: readonly MoreOfReason[];
}

export interface BankFileChecking {
  /** YYYY-MM-DD: no bank tells of what has not been. */
  readonly today: string;
  /** Sees every event as it is read, once. */
  readonly watch?: (event: BankFileEvent) => void;
  /** Forms of lists that people have told of. */
  readonly own?: readonly CsvPreset[];
}

export class BankFileCheck {
  readonly problems = new BankFileProblems();
  readonly #watch: (event: BankFileEvent) => void;
  readonly #latest: string;
  readonly #encoding: string;
  readonly #decoder: InstanceType<typeof TextDecoder> | null;
  readonly #reader: BgMaxReader | CamtReader | CsvReader | SheetReader | null;
  readonly statements: BankStatement[] = [];
  #bytes = 0;
  #isStopped = false;

  constructor(
    letters: BankFileLetters,
    { today, watch = () => undefined, own = [] }: BankFileChecking,
  ) {
    const { form, encoding, isReadable } = letters;
    this.#watch = watch;
    this.#latest = latestDay(today);
    this.#encoding = encoding;
    this.#decoder = isReadable ? new TextDecoder(encoding, { fatal: true }) : null;
    this.#reader =
      form === 'xml'
        ? new CamtReader(this.problems)
        : form === 'csv'
          ? new CsvReader(this.problems, own)
          : form === 'xlsx'
            ? new SheetReader(this.problems, own)
            : form === 'bgmax'
              ? new BgMaxReader(this.problems)
              : null;
    const at = { line: null };
    if (form === 'empty') this.problems.add('file_empty', at, {});
    if (form === 'xls' || form === 'pdf' || form === 'mt940') {
      this.problems.add('not_a_statement', at, { kind: form });
    }
    if (!isReadable) this.problems.add('encoding_unknown', { line: 1 }, { found: encoding });
  }

  /** Whether more bytes would change nothing. */
  read(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > bankFileBytesMax && !this.#isStopped) {
      this.#isStopped = true;
      this.problems.add('file_too_large', { line: null }, { max: bankFileBytesMax });
    }
    this.#decode(chunk);
    return this.#isStopped || this.#reader === null || this.#decoder === null;
  }

  /** A workbook, which is read by its parts and so must be there whole. */
  async readWorkbook(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const reader = this.#reader;
    if (!(reader instanceof SheetReader)) return;
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) {
      parts.push(chunk);
      this.#bytes += chunk.length;
      if (this.#bytes <= workbookBytesMax) continue;
      this.#isStopped = true;
      this.problems.add('file_too_large', { line: null }, { max: workbookBytesMax });
      return;
    }
    const isRead = await readWorkbook(Buffer.concat(parts), {
      problems: this.problems,
      setCalendar: (calendar) => reader.setCalendar(calendar),
      take: (rows) => this.#take(reader.read(rows)),
    });
    this.#isStopped = !isRead;
  }

  end(): BankFileJudgement {
    this.#decode();
    if (!this.#isStopped && this.#decoder) this.#take(this.#reader?.end() ?? []);
    checkContinuity([this]);
    return this.judgement;
  }

  /** The beginning of a list whose form nobody knows. */
  get sample(): FileSample | null {
    const reader = this.#reader;
    return reader instanceof CsvReader || reader instanceof SheetReader ? reader.sample : null;
  }

  get judgement(): BankFileJudgement {
    const { level, all, more } = this.problems;
    return {
      verdict: level === null || level === 'note' ? 'ok' : level,
      format: this.#reader?.format ?? null,
      statements: this.statements,
      problems: all,
      more,
    };
  }

  #decode(chunk?: Uint8Array): void {
    if (this.#isStopped || !this.#decoder) return;
    if (!this.#reader || this.#reader instanceof SheetReader) return;
    let text: string;
    try {
      text = chunk ? this.#decoder.decode(chunk, { stream: true }) : this.#decoder.decode();
    } catch {
      this.#isStopped = true;
      this.problems.add('bytes_unreadable', { line: null }, { encoding: this.#encoding });
      return;
    }
    // No text has them, and the database takes none.
    this.#take(this.#reader.read(text.replaceAll('\0', '')));
  }

  #take(events: readonly BankFileEvent[]): void {
    for (const event of events) {
      this.#tellAhead(event);
      if (event.kind === 'statement') this.statements.push(event.statement);
      this.#watch(event);
    }
  }

  /** Taken in, they would tell for ever of days until then: that the account is read, and has no other rows. */
  #tellAhead(event: BankFileEvent): void {
    const latest = this.#latest;
    if (event.kind === 'entry') {
      const { line, isBooked, bookingDate: found } = event.entry;
      const at = { line, path: this.#statementPath(this.statements.length + 1) };
      if (isBooked && found !== null && found > latest) {
        this.problems.add('date_ahead', at, { found, latest });
      }
    } else if (event.kind === 'statement') {
      const { line, place, saidTo: found } = event.statement;
      const at = { line, path: this.#statementPath(place) };
      if (found !== null && found > latest) this.problems.add('end_ahead', at, { found, latest });
    }
  }

  /** Null where a file has no places but lines. */
  #statementPath(place: number): string | null {
    if (!(this.#reader instanceof CamtReader)) return null;
    return `${this.#reader.format?.startsWith('camt.054') ? 'Ntfctn' : 'Stmt'}[${place}]`;
  }
}
