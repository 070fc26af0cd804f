/** A statement held against what is known of its account: which of its rows are new, and what is in doubt. */
import { addDays, lastDayOfMonth } from '../../basics/dates.ts';
import type { Ore } from '../../basics/money.ts';
import type { BankEntry, BankStatement } from '../bank-files/statement.ts';
import {
  balanceContradictions,
  type Contradiction,
  type KnownBalances,
  placeOf,
  rowContradictions,
  type ToldSpan,
} from './contradictions.ts';
import {
  type ComingDay,
  type DaySlice,
  type EqualRows,
  type KnownDay,
  mergeDay,
} from './merging.ts';
import { isNamed, type RowMarks } from './pairing.ts';

/** A row of a statement, on its way in. */
export interface ComingRow extends RowMarks {
  readonly day: string;
  readonly entry: BankEntry;
}

/** A statement's rows by day, with what the days begin and end with. */
export interface ReadStatement {
  readonly format: string;
  readonly statement: BankStatement;
  readonly days: ReadonlyMap<string, ComingDay<ComingRow>>;
}

/** What is known of an account around the days of a statement. */
export interface KnownAccount {
  readonly days: ReadonlyMap<string, KnownDay>;
  /** Of further days that the statement says it is of, and statements that have told of some of them. */
  readonly told: ReadonlyMap<string, DaySlice>;
  readonly spans: readonly ToldSpan[];
}

export interface StatementPlan {
  readonly added: readonly ComingRow[];
  readonly known: number;
  /** Days that are known better by it. */
  readonly days: ReadonlyMap<string, DaySlice>;
  readonly doubts: readonly PlanDoubt[];
}

/** A day that nothing is proved of. */
export interface PlanDoubt {
  readonly day: string;
  /** How many rows may be in already. */
  readonly rows: number;
  /** What the statement tells otherwise than what is known; null when rows alone are in doubt. */
  readonly contradiction: Contradiction | null;
}

/** The day of an entry that does not say it: its value day, else the statement's last. Null when there is none. */
const dayOf = (entry: BankEntry, { to, saidTo }: BankStatement): string | null =>
  entry.bookingDate ?? entry.valueDate ?? saidTo ?? to;

const descriptionMax = 500;

/** What a row says for people: its text, else what its payment says. */
export function describeEntry({ text, detailCount, details }: BankEntry): string {
  if (text !== null && text !== '') return cut(text);
  const [only] = detailCount === 1 ? details : [];
  return cut(only?.texts.join(' ') || only?.debtor.name || only?.creditor.name || '');
}

const cut = (text: string): string =>
  text.length <= descriptionMax ? text : [...text].slice(0, descriptionMax).join('');

/** Null when an entry has no day, and the statement none to give it. */
export function readDays(
  statement: BankStatement,
  entries: readonly BankEntry[],
  format: string,
): ReadStatement | null {
  const marked = format.startsWith('camt.') ? format.slice(0, 8) : format;
  // Filled in as the balance is walked: there may be hundreds of thousands.
  const rows: { -readonly [Name in keyof ComingRow]: ComingRow[Name] }[] = [];
  for (const entry of entries) {
    if (!entry.isBooked || entry.amount === 0n) continue;
    const day = dayOf(entry, statement);
    if (day === null) return null;
    const isTurned = statement.areReversalsTurned && entry.isReversal;
    rows.push({
      day,
      entry,
      format: marked,
      amount: isTurned ? -entry.amount : entry.amount,
      text: describeEntry(entry),
      reference: entry.reference,
      servicerReference: entry.servicerReference,
      balanceAfter: entry.balanceAfter,
    });
  }
  if (statement.isNewestFirst) rows.reverse();
  const byDay = [...Map.groupBy(rows, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
  const days = new Map<string, ComingDay<ComingRow>>();
  let balance = statement.opening;
  for (const [index, [day, ofDay]] of byDay.entries()) {
    const opening = balance;
    for (const row of ofDay) {
      if (balance !== null) balance += row.amount;
      row.balanceAfter ??= balance;
    }
    const isFromStart = index > 0 || (statement.saidFrom !== null && statement.saidFrom < day);
    const isLast = index === byDay.length - 1;
    const isToEnd = !isLast || (statement.saidTo !== null && statement.saidTo > day);
    const slice = { opening, closing: balance, isFromStart, isToEnd };
    days.set(day, { slice, rows: ofDay });
  }
  return { format: marked, statement, days };
}

export interface PlanChoices {
  readonly isRepeated: boolean;
  readonly equalRows: EqualRows | null;
}

export function planStatement(
  { statement, days }: ReadStatement,
  known: KnownAccount,
  choices: PlanChoices,
): StatementPlan {
  const added: ComingRow[] = [];
  const merged = new Map<string, DaySlice>();
  const doubtful = new Map<string, number>();
  let count = 0;
  const knownDays = [...known.days.keys()].filter((day) => known.days.get(day)?.slice).sort();
  const isLater = hasAllByName({ statement, days }, known);
  const contradictions = choices.isRepeated
    ? []
    : contradictionsOf({ statement, days }, known, knownDays).filter(
        (one) => !isLater || isOfBeginning(one, days),
      );
  const contradicted = new Map(contradictions.map((one) => [one.day, one]));
  for (const [day, coming] of days) {
    count += coming.rows.length;
    const ofDay = known.days.get(day) ?? { slice: null, rows: [] };
    const place = placeOf(knownDays, day);
    const [previous, next] = [
      sliceAt(known, knownDays[place - 1]),
      sliceAt(known, knownDays[knownDays[place] === day ? place + 1 : place]),
    ];
    const around = { previous, next };
    const result = mergeDay(
      { rows: ofDay.rows, slice: ofDay.slice && proved(ofDay.slice, around) },
      { rows: coming.rows, slice: proved(coming.slice, around) },
      { ...choices, isContradicted: contradicted.has(day), isLater },
    );
    if (result.doubtful > 0) doubtful.set(day, result.doubtful);
    for (const row of result.added) added.push(row);
    merged.set(day, result.slice);
  }
  const unsure = choices.equalRows === null ? [...contradicted.keys()] : [];
  const doubts = [...new Set([...unsure, ...doubtful.keys()])].sort().map((day) => ({
    day,
    rows: doubtful.get(day) ?? 0,
    contradiction: contradicted.get(day) ?? null,
  }));
  return { added, known: count - added.length, days: merged, doubts };
}

/**
 * Whether each row has a name of its own, and all that is known of the days is among them: what else there is, the bank
 * has booked afterwards, and the balances after it are others than they were.
 */
function hasAllByName(
  { statement, days }: Pick<ReadStatement, 'statement' | 'days'>,
  known: KnownAccount,
): boolean {
  const sorted = [...days.keys()];
  const [first, last] = [statement.saidFrom ?? sorted[0], statement.saidTo ?? sorted.at(-1)];
  if (first === undefined || last === undefined) return false;
  if ([...days.values()].some(({ rows }) => !rows.every(isNamed))) return false;
  return [...known.days].every(([day, { slice, rows }]) => {
    if (slice === null || day < first || day > last) return true;
    const names = new Set(days.get(day)?.rows.map(({ servicerReference }) => servicerReference));
    return (
      names.size > 0 &&
      rows
        .filter(({ format }) => format !== null)
        .every((row) => isNamed(row) && names.has(row.servicerReference))
    );
  });
}

/** Whether it is of what the account held before the first row: that none of the rows explains. */
function isOfBeginning({ at, day }: Contradiction, days: ReadStatement['days']): boolean {
  const [first = day] = days.keys();
  return at === 'opening' && day <= first;
}

/** By day, each once: what balances tell comes before what rows do. */
export function contradictionsOf(
  told: Pick<ReadStatement, 'statement' | 'days'>,
  known: KnownAccount,
  knownDays: readonly string[] = [...known.days.keys()],
): readonly Contradiction[] {
  const balances = balanceContradictions(told, balancesOf(known, knownDays));
  const days = new Set(balances.map(({ day }) => day));
  const rows = rowContradictions(told, known).filter(({ day }) => !days.has(day));
  return [...balances, ...rows].sort((a, b) => (a.day < b.day ? -1 : 1));
}

function balancesOf({ days, told, spans }: KnownAccount, known: readonly string[]): KnownBalances {
  const further = [...told.keys()].filter((day) => !days.get(day)?.slice);
  return {
    days: further.length === 0 ? known : [...known, ...further].sort(),
    sliceOf: (day) => days.get(day)?.slice ?? told.get(day) ?? null,
    spans,
  };
}

const sliceAt = ({ days }: KnownAccount, day: string | undefined): DaySlice | null =>
  (day === undefined ? undefined : days.get(day))?.slice ?? null;

/** A day that begins with what the one before ended with has no rows before these; its end likewise. */
const proved = (
  slice: DaySlice,
  { previous, next }: { readonly previous: DaySlice | null; readonly next: DaySlice | null },
): DaySlice => ({
  ...slice,
  isFromStart:
    slice.isFromStart ||
    (slice.opening !== null && previous !== null && previous.closing === slice.opening),
  isToEnd:
    slice.isToEnd || (slice.closing !== null && next !== null && next.opening === slice.closing),
});

/** What an account held at the end of days, by the statement: at its end, and at the end of each month within it. */
export function closingBalances(
  { statement, days }: ReadStatement,
  slices: ReadonlyMap<string, DaySlice>,
): { readonly day: string; readonly ore: Ore }[] {
  const { closing, saidTo, to, opening } = statement;
  if (closing === null || opening === null) return [];
  const balances = new Map<string, Ore>();
  const sorted = [...days.keys()].sort();
  let at: Ore = opening;
  for (const [index, day] of sorted.entries()) {
    at = slices.get(day)?.closing ?? days.get(day)?.slice.closing ?? at;
    const next = sorted[index + 1];
    for (let end = lastDayOfMonth(day.slice(0, 7)); next !== undefined && end < next; ) {
      balances.set(end, at);
      end = lastDayOfMonth(addDays(end, 1).slice(0, 7));
    }
  }
  const last = sorted.at(-1) ?? to;
  if (last !== null) balances.set(last, at);
  if (saidTo !== null && (last === null || saidTo > last)) balances.set(saidTo, at);
  return [...balances].map(([day, ore]) => ({ day, ore }));
}
