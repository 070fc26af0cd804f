/** What a row of the bank says of itself: numbers, names and words by which it can be known. */
import { isDate } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';
import type { RowPayment, UnmatchedRow } from './match.ts';
import { wordsOf } from './names.ts';

/** One payment: a whole row, or one of the several within it. */
export interface PaymentMarks {
  /** Null where the bank does not say. */
  readonly amountOre: Ore | null;
  readonly endToEndIds: readonly string[];
  /** What we called the batch that it was asked for in (PmtInfId). */
  readonly batchId: string | null;
  /** What the payer gave in the field for it. */
  readonly references: ReadonlySet<string>;
  readonly documents: ReadonlySet<string>;
  /** Numbers that stand in free text. */
  readonly numbers: ReadonlySet<string>;
  /** Of them those that a day, a telephone or an account explains as well. */
  readonly doubtful: ReadonlySet<string>;
  /** The other party's name as the bank gives it; null where only the text can tell. */
  readonly name: string | null;
  /** The other party's accounts. */
  readonly accounts: readonly string[];
  /** Folded words of the text, channel words left out. */
  readonly words: readonly string[];
  readonly text: string;
  readonly isReturned: boolean;
}

/** A reference or number without what people write differently: case, blanks, marks and leading zeros. */
export const spelledOnce = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+(?=.)/, '');

/** The payments of a row; where the bank tells of none, the row itself. */
export function paymentsOf(row: UnmatchedRow, ownNumbers: ReadonlySet<string>): PaymentMarks[] {
  const { payments, amountOre } = row;
  if (payments.length === 0) return [marksOf(row, null, amountOre, ownNumbers)];
  if (payments.length === 1) {
    return [marksOf(row, payments[0] ?? null, payments[0]?.amount ?? amountOre, ownNumbers)];
  }
  const aside = { ...row, text: '' };
  return payments.map((payment) => marksOf(aside, payment, payment.amount, ownNumbers));
}

const notProvided = /^not ?provided$/i;

function marksOf(
  row: UnmatchedRow,
  payment: RowPayment | null,
  amountOre: Ore | null,
  ownNumbers: ReadonlySet<string>,
): PaymentMarks {
  const text = [row.text, ...(payment?.texts ?? [])].filter((part) => part !== '').join(' ');
  const other = row.amountOre > 0n ? payment?.debtor : payment?.creditor;
  const endToEndId = payment?.endToEndId ?? null;
  const numbers = numbersIn(text);
  return {
    amountOre,
    endToEndIds: endToEndId === null || notProvided.test(endToEndId) ? [] : [endToEndId],
    batchId: payment?.paymentBatchId ?? null,
    references: new Set((payment?.references ?? []).map(spelledOnce)),
    documents: new Set((payment?.documents ?? []).map(({ number }) => spelledOnce(number))),
    numbers,
    doubtful: new Set([...numbers].filter((one) => ownNumbers.has(one) || isExplained(one))),
    name: other?.name ?? null,
    accounts: [other?.account ?? null]
      .filter((account) => account !== null)
      .map(spelledOnce)
      .concat(accountsIn(text)),
    words: wordsOf(text),
    text,
    isReturned: row.isReversal || (payment?.returnReason ?? null) !== null,
  };
}

/** Whole words with a digit in them, and runs of digits within words; three characters or more. */
function numbersIn(text: string): Set<string> {
  const words = text.split(/[\s,;:()]+/u).filter((word) => /\d/.test(word));
  // Days, as people write them, are no numbers of anything.
  const others = words.filter((word) => !isDate(word));
  const runs = others.flatMap((word) => word.match(/\d+/g) ?? []);
  return new Set([...others, ...runs].map(spelledOnce).filter((one) => one.length >= 3));
}

/** A day without marks (`20261102`, `261102`), or a Swedish mobile telephone. */
function isExplained(number: string): boolean {
  if (/^(46|0)?7\d{8}$/.test(number)) return true;
  const [, year = '', month = '', day = ''] = /^(?:20)?(\d\d)(\d\d)(\d\d)$/.exec(number) ?? [];
  return year !== '' && isDate(`20${year}-${month}-${day}`);
}

/** Bankgiro and plusgiro as they are written, and numbers long enough to be nothing else. */
function accountsIn(text: string): string[] {
  const written = text.match(/\b\d{3,4}-\d{4}\b|\b\d{1,7}-\d\b/g) ?? [];
  const padded = text.match(/\b(?:BG|PG) ?\d{7,16}\b/gi) ?? [];
  return [...written, ...padded.map((one) => one.replace(/\D/g, ''))].map(spelledOnce);
}

/** Swedish mobile telephones in a text, from 7 on: `46701740605` and `070-174 06 05` are the same. */
export function phonesIn(text: string): string[] {
  const found = text.match(/(?:\+|00)?(?:46|0)[ -]?7(?:[ -]?\d){8}\b/g) ?? [];
  return found.map(phoneDigits);
}

export const phoneDigits = (phone: string): string =>
  phone.replace(/\D/g, '').replace(/^(?:00)?(?:46)?0*/, '');
