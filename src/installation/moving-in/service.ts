/**
 * A company's way in from another program: the ground it stands on, the day it happens, the books held against
 * the old program's report, and how it ends. Vouchers come as SIE files, what was unpaid invoice by invoice.
 */
import type { Db, Tx } from '../../db/pool.ts';
import { addDays, monthOf } from '../../domain/basics/dates.ts';
import { isLimitedCompany, isPersonalNumber } from '../../domain/basics/identifiers.ts';
import type { Ore } from '../../domain/basics/money.ts';
import {
  type ComparedAccount,
  compareWithReport,
  withWhatLacked,
} from '../../domain/ledger/moving-in.ts';
import { type Balance, equityMoves } from '../../domain/ledger/opening-balances.ts';
import type { EquityMoved } from '../../domain/ledger/sie/problems.ts';
import { vatPeriodEndingOn, vatPeriodsBefore } from '../../domain/ledger/vat-deadlines.ts';
import { closeYear } from '../../ledger/fiscal-years/service.ts';
import { listYearSpans, listYears } from '../../ledger/fiscal-years/store.ts';
import { raiseLock } from '../../ledger/locks/service.ts';
import { listImports } from '../../ledger/sie/undo-store.ts';
import { type Fault, refuse, refuseWhole } from '../../lib/errors.ts';
import { changeSetting } from '../company/service.ts';
import {
  findMoveFacts,
  findOwnVoucherUpTo,
  hasOpeningItems,
  listBalancesAt,
  type MoveFacts,
} from './store.ts';

/** How a company's equity is kept: 2081–2099 of a limited company, 2010–2019 of a sole trader (BAS). */
export type LegalForm = 'limited_company' | 'sole_trader' | 'other';

export const legalFormOf = (organizationNumber: string): LegalForm =>
  isPersonalNumber(organizationNumber)
    ? 'sole_trader'
    : isLimitedCompany(organizationNumber)
      ? 'limited_company'
      : 'other';

export interface Move {
  /** The last day in the old program; null when nobody has said. */
  readonly day: string | null;
  readonly legalForm: LegalForm;
  /** Whether a VAT period ends with the day, so that no period is split between two programs. */
  readonly isVatPeriodEnd: boolean;
  /** Days to move on: the last of the VAT periods that have ended, the latest first. */
  readonly advised: readonly string[];
}

const advisedDays = 3;

/** Throws `unprocessable` before the company is set up. */
export async function getMove(db: Db, today: string): Promise<Move> {
  const { moved_on: day, organization_number: number, vat_period: period } = await requireFacts(db);
  const years = await listYearSpans(db);
  const ends = vatPeriodsBefore(period, years, today).map(({ end }) => end);
  return {
    day,
    legalForm: legalFormOf(number),
    isVatPeriodEnd: day !== null && vatPeriodEndingOn(period, years, day) !== undefined,
    advised: ends.slice(-advisedDays).reverse(),
  };
}

async function requireFacts(db: Db): Promise<MoveFacts> {
  const facts = await findMoveFacts(db);
  if (!facts) throw refuseWhole('unprocessable', 'not_set_up');
  return facts;
}

export interface Ground {
  readonly method: 'invoice' | 'cash';
  readonly legalForm: LegalForm;
  /** The last day in the old program. */
  readonly day: string;
}

/**
 * Says on what ground and which day. Throws `unprocessable` for what Huvudbok cannot keep the books of, for a day
 * to come, and for one that is booked here already.
 */
export async function beginMove(
  tx: Tx,
  { method, legalForm, day }: Ground,
  today: string,
  actor: string,
): Promise<void> {
  const { organization_number: number, moved_on: before } = await requireFacts(tx);
  const faults: Fault[] = [];
  if (method === 'cash') faults.push({ path: 'method', reason: 'cash_method_unbuilt' });
  if (legalForm === 'other') faults.push({ path: 'legalForm', reason: 'legal_form_unsupported' });
  else if (legalForm !== legalFormOf(number)) {
    faults.push({ path: 'legalForm', reason: 'legal_form_differs' });
  }
  if (day > today) faults.push({ path: 'day', reason: 'move_day_ahead' });
  const own = await findOwnVoucherUpTo(tx, day);
  if (own) {
    const params = { voucher: own.label, date: own.date };
    faults.push({ path: 'day', reason: 'move_day_booked', params });
  }
  if (day !== before && (await hasOpeningItems(tx))) {
    faults.push({ path: 'day', reason: 'move_day_has_items' });
  }
  if (faults.length > 0) throw refuse('unprocessable', faults);
  if (day !== before) await changeSetting(tx, 'moved-on', day, actor);
}

export interface MoveBalances {
  readonly day: string;
  /** Whose figures the books are held against; null for none. */
  readonly report: { readonly fileName: string | null } | null;
  readonly accounts: readonly ComparedAccount[];
  readonly differing: number;
  /** What the opening balances of a file lacked and somebody has laid on accounts that agree with it, and would not without. */
  readonly explained: readonly Balance[];
  /** What would make equity agree, when the old program moved it between the years without a voucher; else null. */
  readonly equity: EquityMoved | null;
}

/**
 * Every account at the end of the day, beside the old program's figures: `reported` when somebody has given them,
 * else what the SIE file of that year says it ended with. Throws `unprocessable` before there is a day.
 */
export async function compareBalances(
  db: Db,
  reported: ReadonlyMap<number, Ore> | null,
): Promise<MoveBalances> {
  const { moved_on: day } = await requireFacts(db);
  const years = await listYearSpans(db);
  const year = years.find(({ start, end }) => day && start <= day && day <= end);
  if (day === null || !year) throw refuseWhole('unprocessable', 'no_move_day');
  const books = await listBalancesAt(db, day, year.start);
  const file = reported === null ? await closingsInFile(db, year.year) : null;
  const figures = reported ?? file?.closings ?? null;
  const compared = compareWithReport(books, figures ?? new Map());
  const { accounts, explained } = withWhatLacked(compared, figures ? await listLacked(db) : []);
  const isFirst = !years.some(({ end }) => end < year.start);
  const moves = equityMoves(
    accounts.map(({ account, differenceOre }) => ({ account, balanceOre: -differenceOre })),
  );
  return {
    day,
    report: figures && { fileName: file?.fileName ?? null },
    accounts,
    explained,
    differing: figures ? accounts.filter(({ differenceOre }) => differenceOre !== 0n).length : 0,
    equity: !figures || isFirst || moves.length === 0 ? null : { date: year.start, moves },
  };
}

const importsLookedAt = 100;

/** What the latest file of the year that is in the books says that each account ended with. */
async function closingsInFile(db: Db, year: number) {
  const file = (await listImports(db, importsLookedAt)).find(
    ({ report, undone_at }) =>
      undone_at === null &&
      report.year === year &&
      report.accounts.some(({ closing }) => closing !== null),
  );
  if (!file) return null;
  const closings = file.report.accounts.flatMap(({ account, closing }) =>
    closing === null ? [] : [[Number(account), BigInt(closing)] as const],
  );
  return { fileName: file.file_name, closings: new Map(closings) };
}

/** What people have said at imports of where that stands which the opening balances lacked to come to nothing. */
async function listLacked(db: Db): Promise<Balance[]> {
  return (await listImports(db, importsLookedAt)).flatMap(({ report, undone_at }) => {
    const said = undone_at === null ? report.opening.difference : null;
    return said ? [{ account: Number(said.account), balanceOre: BigInt(said.ore) }] : [];
  });
}

/**
 * Ends the move: nothing up to the day is booked any more, months are closed from the one after, and, when the old
 * program's accounts are final, years that ended by then are shut.
 */
export async function finishMove(
  tx: Tx,
  { closesYears, today }: { readonly closesYears: boolean; readonly today: string },
  actor: string,
): Promise<{ readonly day: string; readonly closed: readonly number[] }> {
  const { moved_on: day } = await requireFacts(tx);
  if (day === null) throw refuseWhole('unprocessable', 'no_move_day');
  await raiseLock(tx, 'period', day, actor, 'Bokfört i det gamla programmet');
  await changeSetting(tx, 'months-from', monthOf(addDays(day, 1)), actor);
  const ended = (await listYears(tx))
    .filter(({ end, status }) => closesYears && end <= day && status === 'open')
    .map(({ year }) => year)
    .reverse();
  for (const year of ended) await closeYear(tx, { year, today }, actor);
  return { day, closed: ended };
}
