/**
 * Rows of the bank that a program brings with a key: planned and taken in as those of files are, all or none, in the
 * one transaction that answers for it.
 */
import { callRefusal, type WriteCall } from '../../access/keys/write-calls.ts';
import type { Pool, RunWriting } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import { capProblems } from '../../domain/basics/problems.ts';
import type { EqualRows, KnownDay } from '../../domain/ledger/bank-statements/merging.ts';
import {
  closingBalances,
  planStatement,
  type ReadStatement,
  type StatementPlan,
} from '../../domain/ledger/bank-statements/planning.ts';
import {
  type PostedStatement,
  postedDaysMax,
  readPosted,
} from '../../domain/ledger/bank-statements/posted.ts';
import { faultOf, refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  lookAtAccount,
  type SeenAccount,
  type ToldPosting,
  takePostedRows,
} from './posted-store.ts';
import { shownOre } from './report.ts';

export interface PostedCall extends WriteCall {
  readonly run: RunWriting;
  /** One of them, by which the account is known. */
  readonly ledgerAccount: number | null;
  readonly iban: string | null;
  /** What rows are that may be in already. */
  readonly equalRows: EqualRows | null;
  readonly posted: PostedStatement;
}

export interface PostedAnswer {
  readonly isReplayed: boolean;
  readonly told: ToldPosting;
}

/** Throws 422 with all that is wrong, or with what must be said of rows that may be in already. */
export function postBankRows(pool: Pool, call: PostedCall, today: string): Promise<PostedAnswer> {
  return call.run(pool, async (tx) => {
    const { posted } = call;
    const days = daysAround(posted);
    const looked = await lookAtAccount(tx, call, { ...call, days });
    if (looked.outcome === 'refused') throw callRefusal(looked.refusal, call.request);
    if (looked.outcome === 'replayed') return { isReplayed: true, told: looked.told };
    if (looked.outcome === 'account_unknown') {
      const said = call.iban ?? call.ledgerAccount ?? '';
      const path = call.iban === null ? 'account' : 'iban';
      throw refuse('unprocessable', [faultOf(path, 'bank_account_unknown', { said })]);
    }
    const { account } = looked;
    const named = { account: account.iban ?? String(account.ledgerAccount), today };
    const { faults, statement: read } = readPosted(posted, named);
    if (read === null) throw refuse('unprocessable', capProblems([...faults]));
    const known = knownDays(account);
    const plan = planStatement(
      read,
      { days: known, told: new Map(), spans: account.spans },
      { isRepeated: false, equalRows: call.equalRows },
    );
    if (plan.doubts.length > 0) throw rowsInDoubt(plan);
    const rows = plan.added.map((row) => ({ ...row, id: uuid() }));
    const importId = uuid();
    const told = toldOf(account, { read, plan, importId });
    await takePostedRows(tx, call, {
      importId,
      statementId: uuid(),
      accountId: account.accountId,
      statement: read.statement,
      rows,
      days: plan.days,
      balances: closingBalances(read, plan.days),
      told,
    });
    return { isReplayed: false, told };
  });
}

/** The days of the rows, and all that they are said to be of: on those there may be rows that these should be among. */
function daysAround({ from, to, rows }: PostedStatement): string[] {
  const days = new Set(rows.map(({ date }) => date));
  const ends = [...days, from, to].filter((day) => day !== null).sort();
  const [first, last] = [ends[0], ends.at(-1)];
  if (first === undefined || last === undefined || (from === null && to === null)) return [...days];
  for (let [day, left] = [first, postedDaysMax]; day < last && left > 0; left -= 1) {
    days.add(day);
    day = addDays(day, 1);
  }
  return [...days.add(last)];
}

function knownDays({ slices, rows }: SeenAccount): Map<string, KnownDay> {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const days = new Set([...slices.keys(), ...byDay.keys()]);
  return new Map(
    [...days].map((day) => [day, { slice: slices.get(day) ?? null, rows: byDay.get(day) ?? [] }]),
  );
}

function rowsInDoubt({ doubts }: StatementPlan) {
  const detail = { days: doubts.slice(0, daysShown).map(({ day, rows }) => ({ day, rows })) };
  const contradiction = doubts.find((one) => one.contradiction !== null)?.contradiction;
  const shownDays = (of: readonly string[]): string => {
    const more = of.length - daysShown;
    const shown = of.slice(0, daysShown).join(', ');
    return more > 0 ? `${shown} och ${more} till` : shown;
  };
  if (contradiction?.at === 'rows') {
    const days = shownDays(doubts.map(({ day }) => day));
    return refuse('unprocessable', [faultOf('equalRows', 'bank_rows_contradict', { days })], {
      detail,
    });
  }
  if (contradiction) {
    const { day, at, known: expectedOre, told: foundOre } = contradiction;
    const reason = `bank_${at}_contradicts` as const;
    const params = { day, foundOre, expectedOre };
    return refuse('unprocessable', [faultOf('equalRows', reason, params)], { detail });
  }
  const params = { days: shownDays(doubts.map(({ day, rows }) => `${day} (${rows})`)) };
  return refuse('unprocessable', [faultOf('equalRows', 'bank_rows_in_doubt', params)], { detail });
}

const daysShown = 20;

interface Planned {
  readonly read: ReadStatement;
  readonly plan: StatementPlan;
}

const toldOf = (
  { ledgerAccount, iban }: SeenAccount,
  { read, plan, importId }: Planned & { readonly importId: string },
): ToldPosting => ({
  importId: plan.added.length > 0 ? importId : null,
  account: ledgerAccount,
  iban,
  added: plan.added.length,
  known: plan.known,
  opening: shownOre(read.statement.opening),
  closing: shownOre(read.statement.closing),
});
