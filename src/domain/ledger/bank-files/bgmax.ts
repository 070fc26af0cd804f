/**
 * BgMax: what Bankgirot told of payments in until 27 November 2026, in records of eighty characters. Each deposit is read as a notice
 * (camt.054) tells of one: it details a row of the statement by its payments and their references, and is no row itself.
 */
import { isDate } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';
import { type BankFileProblems, shownText } from './problems.ts';
import {
  addPart,
  type BankEntryDetail,
  type BankFileEvent,
  bankEntriesMax,
  bankStatementsMax,
  detailsAtOnce,
  nobody,
} from './statement.ts';
import { StatementTally } from './tally.ts';

const recordLength = 80;
/** A line that is longer is none of a BgMax file. */
const lineMax = 10 * recordLength;
const tabStop = 8;

/** Characters of a record, counted from 1 and both included, as the layout tells of them. */
const at = (record: string, first: number, last: number): string =>
  record.slice(first - 1, last).trim();
const digitsAt = (record: string, first: number, last: number): string =>
  at(record, first, last).replace(/^0+/, '');

/** Öre; null when it is no amount. */
function oreAt(record: string, first: number, last: number): Ore | null {
  const digits = at(record, first, last);
  return /^\d{1,18}$/.test(digits) ? BigInt(digits) : null;
}

/** How many records; null when it is not said. */
function countAt(record: string, first: number, last: number): number | null {
  const digits = at(record, first, last);
  return /^\d{1,8}$/.test(digits) ? Number(digits) : null;
}

type Writable<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] };
type OpenPayment = Writable<BankEntryDetail> & {
  references: string[];
  documents: { number: string; kind: string | null }[];
  texts: string[];
};

/** A receiving bankgiro number's part of the file (record 05), and the deposit that is being told of. */
interface Section {
  readonly line: number;
  readonly bankgiro: string;
  readonly currency: string | null;
  readonly tally: StatementTally;
  payments: OpenPayment[];
  /** Of the deposit: payments, and what they come to. */
  count: number;
  sum: Ore;
}

/** The account's own number is padded as no other file has it; whoever has told of a bankgiro is not asked. */
const accountOf = ({ bankgiro }: Section): string => `BG ${bankgiro}`;

/** How many records of a kind there are, which the last record says too. */
const countedKinds = ['20', '21', '22', '15'] as const;
type CountedKind = (typeof countedKinds)[number];
const countPlaces: Readonly<Record<CountedKind, readonly [number, number]>> = {
  '20': [3, 10],
  '21': [11, 18],
  '22': [19, 26],
  '15': [27, 34],
};

export class BgMaxReader {
  readonly format = 'bgmax';
  readonly #problems: BankFileProblems;
  #rest = '';
  #line = 0;
  #isStopped = false;
  #isEnded = false;
  #section: Section | null = null;
  #places = 0;
  #entries = 0;
  #counts = new Map<CountedKind, number>();
  #events: BankFileEvent[] = [];

  constructor(problems: BankFileProblems) {
    this.#problems = problems;
  }

  read(text: string): BankFileEvent[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
    if (this.#rest.length > lineMax) {
      this.#readLine(this.#rest);
      this.#rest = '';
    }
    return this.#taken();
  }

  end(): BankFileEvent[] {
    if (this.#rest !== '') this.#readLine(this.#rest);
    this.#rest = '';
    if (!this.#isStopped && !this.#isEnded) this.#damaged('');
    if (!this.#isStopped) {
      if (this.#places === 0) this.#problems.add('no_statements', { line: null }, {});
      else this.#problems.add('bgmax_alone', { line: null }, {});
    }
    return this.#taken();
  }

  #taken(): BankFileEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #damaged(found: string): void {
    this.#isStopped = true;
    this.#problems.add(
      'bgmax_damaged',
      { line: Math.max(this.#line, 1) },
      { found: shownText(found) },
    );
  }

  #readLine(line: string): void {
    if (this.#isStopped) return;
    this.#line += 1;
    if (line.length > lineMax) this.#damaged(line);
    else if (line.trim() !== '') this.#readRecord(withoutTabs(line.replace(/[\r\ufeff]/g, '')));
  }

  #readRecord(record: string): void {
    const kind = record.slice(0, 2);
    const section = this.#section;
    if (kind === '01') this.#begin(record);
    else if (this.#isEnded) this.#damaged(record);
    else if (kind === '05') this.#open(record);
    else if (kind === '70') this.#close(record);
    else if (section === null) this.#damaged(record);
    else if (kind === '20' || kind === '21') this.#readPayment(section, record, kind);
    else if (kind === '15') this.#readDeposit(section, record);
    else this.#readMore(section, record, kind);
  }

  #begin(record: string): void {
    if (at(record, 3, 22) !== 'BGMAX' || this.#section) this.#damaged(record);
    this.#isEnded = false;
    this.#counts = new Map();
  }

  #open(record: string): void {
    this.#endSection();
    this.#places += 1;
    if (this.#places > bankStatementsMax) {
      this.#isStopped = true;
      this.#problems.add('too_many_statements', { line: this.#line }, { max: bankStatementsMax });
      return;
    }
    this.#section = {
      line: this.#line,
      bankgiro: digitsAt(record, 3, 12).replace(/\d{4}$/, '-$&'),
      currency: at(record, 23, 25) || null,
      tally: new StatementTally(),
      payments: [],
      count: 0,
      sum: 0n,
    };
  }

  #count(kind: CountedKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** A payment, or what is deducted from the deposit (21). */
  #readPayment(section: Section, record: string, kind: '20' | '21'): void {
    this.#count(kind);
    const amount = oreAt(record, 38, 55);
    if (amount === null) {
      this.#unreadable('amount_unreadable', record.slice(37, 55));
      return;
    }
    if (section.payments.length === detailsAtOnce) {
      this.#events.push({ kind: 'details', details: section.payments });
      section.payments = [];
    }
    const signed = kind === '20' ? amount : -amount;
    const payer = digitsAt(record, 3, 12);
    section.count += 1;
    section.sum += signed;
    section.payments.push({
      ...payment(at(record, 13, 37)),
      amount: signed,
      currency: section.currency,
      transactionId: digitsAt(record, 58, 69) || null,
      debtor: { ...nobody, ...(payer && { account: payer, accountKind: 'BGNR' }) },
    });
  }

  /** What follows a payment tells more of it; addresses are nothing that a payment is found by. */
  #readMore({ payments }: Section, record: string, kind: string): void {
    const latest = payments.at(-1);
    if (!latest || !/^2[2-9]$/.test(kind)) {
      this.#damaged(record);
      return;
    }
    const said = at(record, 13, 37);
    if (kind === '22' || kind === '23') this.#count('22');
    if (kind === '22' && !['', ...latest.references].includes(said)) {
      addPart(latest.references, said);
    } else if (kind === '23' && said !== '') {
      addPart(latest.documents, { number: said, kind: 'CREN' });
    } else if (kind === '25') addPart(latest.texts, at(record, 3, 52));
    else if (kind === '26') {
      const name = `${at(record, 3, 37)} ${at(record, 38, 72)}`.trim();
      latest.debtor = { ...latest.debtor, name: name || null };
    }
  }

  /** What the payments before it came to on the account, which is the row of the statement. */
  #readDeposit(section: Section, record: string): void {
    this.#count('15');
    this.#entries += 1;
    const amount = oreAt(record, 51, 68);
    const day = at(record, 38, 45).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
    if (amount === null) this.#unreadable('amount_unreadable', record.slice(50, 68));
    else if (!isDate(day)) this.#unreadable('date_unreadable', day);
    else if (this.#entries > bankEntriesMax) {
      this.#isStopped = true;
      this.#problems.add('too_many_entries', { line: this.#line }, { max: bankEntriesMax });
    } else this.#deposit(section, record, { amount, day });
  }

  #deposit(section: Section, record: string, { amount, day }: { amount: Ore; day: string }): void {
    const { bankgiro, payments, count, sum, tally } = section;
    const here = { line: this.#line };
    const serial = at(record, 46, 50);
    if (sum !== amount) {
      this.#problems.add('details_differ', here, { found: sum, expected: amount });
    }
    const expected = countAt(record, 72, 79);
    if (expected !== null && count !== expected) {
      this.#problems.add('details_count_differs', here, { found: count, expected });
    }
    const entry = {
      ...here,
      amount,
      currency: at(record, 69, 71) || section.currency,
      isBooked: true,
      isReversal: false,
      bookingDate: day,
      valueDate: null,
      reference: `${bankgiro} ${serial}`.trim(),
      servicerReference: null,
      code: null,
      text: `Bankgiro ${bankgiro}, insättning ${serial}`,
      balanceAfter: null,
      detailCount: count,
      details: payments,
    };
    tally.add(entry);
    this.#events.push({ kind: 'entry', entry, account: accountOf(section) });
    section.payments = [];
    section.count = 0;
    section.sum = 0n;
  }

  #endSection(): void {
    const section = this.#section;
    this.#section = null;
    if (!section) return;
    // Payments of no deposit: the record that ends them is gone.
    if (section.count > 0) this.#damaged('');
    const facts = {
      line: section.line,
      place: this.#places,
      id: null,
      account: accountOf(section),
      currency: section.currency,
      isNotice: true,
      opening: null,
      closing: null,
      sequence: null,
      isNewestFirst: false,
      from: null,
      to: null,
      path: null,
    };
    this.#events.push({ kind: 'statement', statement: section.tally.close(facts, this.#problems) });
  }

  #close(record: string): void {
    this.#endSection();
    this.#isEnded = true;
    for (const kind of countedKinds) {
      const found = this.#counts.get(kind) ?? 0;
      const expected = countAt(record, ...countPlaces[kind]);
      if (expected === null) this.#damaged(record);
      else if (found !== expected) {
        this.#problems.add('count_differs', { line: this.#line }, { found, expected });
      }
    }
  }

  #unreadable(reason: 'amount_unreadable' | 'date_unreadable', found: string): void {
    this.#section?.tally.lose();
    this.#problems.add(reason, { line: this.#line }, { found: shownText(found) });
  }
}

/** Numbers are references, one or several; anything else that a payer wrote is words. */
function payment(said: string): OpenPayment {
  const parts = said.split(/\s+/).filter((part) => part !== '');
  const areNumbers = parts.every((part) => /^\d+$/.test(part));
  return {
    amount: null,
    currency: null,
    endToEndId: null,
    paymentBatchId: null,
    transactionId: null,
    servicerReference: null,
    references: areNumbers ? parts : [],
    documents: [],
    texts: areNumbers && parts.length < 2 ? [] : [said],
    debtor: nobody,
    creditor: nobody,
    returnReason: null,
  };
}

/** Programs that people open files in make tabs of blanks. */
function withoutTabs(record: string): string {
  const [first = '', ...parts] = record.split('\t');
  return parts.reduce(
    (before, part) => before.padEnd((Math.floor(before.length / tabStop) + 1) * tabStop) + part,
    first,
  );
}
