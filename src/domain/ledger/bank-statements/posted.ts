/** Rows of one account as a program sends them: a statement like those of files, held against its own balances. */

import { type Fault, faultOf } from '../../../lib/errors.ts';
import { addDays } from '../../basics/dates.ts';
import { type Ore, sum } from '../../basics/money.ts';
import { BalanceWalk } from '../bank-files/balance-walk.ts';
import {
  type BankEntry,
  type BankEntryDetail,
  type BankStatement,
  latestDay,
  nobody,
} from '../bank-files/statement.ts';
import { postedFormat } from './pairing.ts';
import { type ReadStatement, readDays } from './planning.ts';

export interface PostedParty {
  readonly name?: string | null | undefined;
  readonly account?: string | null | undefined;
}

export interface PostedPayment {
  /** With the row's own sign; null when the bank does not say. */
  readonly amount: Ore | null;
  readonly references: readonly string[];
  readonly invoiceNumbers: readonly string[];
  readonly message: string | null;
  readonly payer: PostedParty | null;
  readonly payee: PostedParty | null;
  readonly endToEndId: string | null;
}

export interface PostedRow {
  readonly date: string;
  readonly valueDate: string | null;
  /** Above zero is money in. */
  readonly amount: Ore;
  readonly text: string;
  readonly reference: string | null;
  /** The bank's own, of no other row. */
  readonly transactionId: string | null;
  readonly balanceAfter: Ore | null;
  readonly payments: readonly PostedPayment[];
}

export interface PostedStatement {
  /** Whole days, all rows of which are here; null where that is not said. */
  readonly from: string | null;
  readonly to: string | null;
  readonly opening: Ore | null;
  readonly closing: Ore | null;
  /** In the order of the account, oldest or newest first. */
  readonly rows: readonly PostedRow[];
}

/** No call holds more of an account's time. */
export const postedDaysMax = 3_660;
/** What is wrong with the rows, each at its field; none when `statement` may be planned. */
export function readPosted(
  posted: PostedStatement,
  { account, today }: { readonly account: string | null; readonly today: string },
): { readonly faults: readonly Fault[]; readonly statement: ReadStatement | null } {
  const { rows } = posted;
  const walk = new BalanceWalk();
  for (const [index, row] of rows.entries()) walk.add(index, row.amount, row.balanceAfter);
  const faults = [...dayFaults(posted, today), ...paymentFaults(rows)];
  const isNewestFirst = walk.isNewestFirst(rows[0]?.date ?? null, rows.at(-1)?.date ?? null, false);
  const broken = walk.breakOf(isNewestFirst);
  if (broken) {
    const params = { foundOre: broken.found, expectedOre: broken.expected };
    faults.push(faultOf(`rows[${broken.line}].balanceAfter`, 'bank_balance_broken', params));
  }
  const net = sum(rows.map(({ amount }) => amount));
  const ends = balancesOf(posted, walk.ends(isNewestFirst, net), net);
  if (!broken) faults.push(...endFaults(posted, ends));
  if (faults.length > 0) return { faults, statement: null };
  const statement = statementOf(posted, { ...ends, isNewestFirst, account });
  const read = readDays(statement, rows.map(entryOf), postedFormat);
  return { faults, statement: read && withWholeDays(read, posted, today) };
}

interface Ends {
  readonly opening: Ore | null;
  readonly closing: Ore | null;
}

/** What is said, else what follows from the balances of rows, or from the other end. */
function balancesOf({ opening, closing }: PostedStatement, walked: Ends | null, net: Ore): Ends {
  const first = walked?.opening ?? opening ?? (closing === null ? null : closing - net);
  return { opening: first, closing: first === null ? null : first + net };
}

function endFaults(posted: PostedStatement, ends: Ends): Fault[] {
  const faults: Fault[] = [];
  for (const [name, path, reason] of [
    ['opening', 'openingBalance', 'bank_opening_differs'],
    ['closing', 'closingBalance', 'bank_closing_differs'],
  ] as const) {
    const [found, expected] = [posted[name], ends[name]];
    if (found === null || expected === null || found === expected) continue;
    faults.push(faultOf(path, reason, { foundOre: found, expectedOre: expected }));
  }
  return faults;
}

/** There is no day after 9999-12-31. */
const lastDayFrom = (first: string): string =>
  first > '9900' ? '9999-12-31' : addDays(first, postedDaysMax);

function dayFaults({ from, to, rows }: PostedStatement, today: string): Fault[] {
  const faults: Fault[] = [];
  const latest = latestDay(today);
  const days = rows.map(({ date }) => date).sort();
  const first = days[0] ?? today;
  const lastAllowed = lastDayFrom(first);
  for (const [index, { date }] of rows.entries()) {
    const path = `rows[${index}].date`;
    const isOutside = (from !== null && date < from) || (to !== null && date > to);
    if (isOutside)
      faults.push(faultOf(path, 'bank_day_outside', { from: from ?? '', to: to ?? '' }));
    else if (date > latest) faults.push(faultOf(path, 'bank_day_ahead', { latest }));
    else if (date > lastAllowed) {
      faults.push(faultOf(path, 'bank_days_too_many', { first, years: postedDaysMax / 366 }));
    }
  }
  if (to !== null && to > latest) faults.push(faultOf('to', 'bank_day_ahead', { latest }));
  if (from !== null && lastDayFrom(from) < first) {
    faults.push(faultOf('from', 'bank_days_too_many', { first: from, years: postedDaysMax / 366 }));
  }
  if (to !== null && to > lastAllowed) {
    faults.push(faultOf('to', 'bank_days_too_many', { first, years: postedDaysMax / 366 }));
  }
  return faults;
}

function paymentFaults(rows: readonly PostedRow[]): Fault[] {
  return rows.flatMap(({ amount, payments }, index) => {
    const amounts = payments.flatMap((payment) => payment.amount ?? []);
    const found = sum(amounts);
    if (amounts.length === 0 || amounts.length < payments.length || found === amount) return [];
    const params = { foundOre: found, expectedOre: amount };
    return [faultOf(`rows[${index}].payments`, 'bank_payments_differ', params)];
  });
}

function statementOf(
  { from, to, rows }: PostedStatement,
  facts: Ends & { readonly isNewestFirst: boolean; readonly account: string | null },
): BankStatement {
  const days = rows.map(({ date }) => date).sort();
  const [credit, debit] = [1n, -1n].map((sign) =>
    sum(rows.map(({ amount }) => (amount * sign > 0n ? amount * sign : 0n))),
  ) as [Ore, Ore];
  return {
    ...facts,
    line: 1,
    place: 1,
    id: null,
    currency: 'SEK',
    isNotice: false,
    entries: rows.length,
    credit,
    debit,
    from: days[0] ?? from,
    to: days.at(-1) ?? to,
    saidFrom: from,
    saidTo: to,
    sequence: null,
    areReversalsTurned: false,
  };
}

const entryOf = (row: PostedRow, index: number): BankEntry => ({
  line: index + 1,
  amount: row.amount,
  currency: 'SEK',
  isBooked: true,
  isReversal: false,
  bookingDate: row.date,
  valueDate: row.valueDate,
  reference: row.reference,
  servicerReference: row.transactionId,
  code: null,
  text: row.text,
  balanceAfter: row.balanceAfter,
  detailCount: row.payments.length,
  details: row.payments.map(detailOf),
});

const detailOf = (payment: PostedPayment): BankEntryDetail => ({
  amount: payment.amount,
  currency: null,
  endToEndId: payment.endToEndId,
  paymentBatchId: null,
  transactionId: null,
  servicerReference: null,
  references: payment.references,
  documents: payment.invoiceNumbers.map((number) => ({ number, kind: 'CINV' })),
  texts: payment.message === null ? [] : [payment.message],
  debtor: { ...nobody, name: payment.payer?.name ?? null, account: payment.payer?.account ?? null },
  creditor: {
    ...nobody,
    name: payment.payee?.name ?? null,
    account: payment.payee?.account ?? null,
  },
  returnReason: null,
});

/** What the program says of its days: that it has the whole of them. Today is not over. */
function withWholeDays(
  read: ReadStatement,
  { from, to }: PostedStatement,
  today: string,
): ReadStatement {
  const days = new Map(
    [...read.days].map(([day, { slice, rows }]) => [
      day,
      {
        rows,
        slice: {
          ...slice,
          isFromStart: slice.isFromStart || from !== null,
          isToEnd: slice.isToEnd || (to !== null && day < today),
        },
      },
    ]),
  );
  return { ...read, days };
}
