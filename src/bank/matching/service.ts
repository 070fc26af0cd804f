/** What rows of the bank may be, and booking them as that when a person, or the company's setting, says so. */
import { createHash } from 'node:crypto';
import { type Db, db, type Pool, type Tx, withTx } from '../../db/pool.ts';
import type {
  Match,
  MatchDocument,
  MatchWorld,
  UnmatchedRow,
} from '../../domain/ledger/bank-matching/match.ts';
import { matchRows } from '../../domain/ledger/bank-matching/matching.ts';
import { type Fault, jsonOf } from '../../lib/errors.ts';
import { lockBankAccounts } from '../transaction-store.ts';
import { type BookedRows, bookDecisions, type Decision, type RefusedRow } from './booking.ts';
import { listAccountNames, listUnmatchedRows, loadWorld, type RowChoice } from './world-store.ts';

export interface Suggestion {
  readonly row: UnmatchedRow;
  readonly match: Match;
  /** By which whoever says yes says what to: another suggestion has another. */
  readonly digest: string;
}

/** What rows may be, by id, and what it is taken from. */
export interface Suggested {
  readonly suggestions: ReadonlyMap<string, Suggestion>;
  readonly world: MatchWorld;
  /** By kind and id. */
  readonly documents: ReadonlyMap<string, MatchDocument>;
  readonly accountNames: ReadonlyMap<string, string>;
}

/**
 * Of the rows that are not matched: the latest where they are very many, and those that are asked for by id. They are
 * held against all open documents, or against those alone that they name.
 */
export async function suggestMatches(
  db: Db,
  choice?: RowChoice,
  { areNamed = false }: { readonly areNamed?: boolean } = {},
): Promise<Suggested> {
  const rows = await listUnmatchedRows(db, choice);
  const world = await loadWorld(db, rows, { areNamed });
  const matches = matchRows(world);
  const suggestions = rows.map((row) => {
    const match = matches.get(row.id) ?? ({ certainty: 'none', reason: 'nothing_fits' } as const);
    return [row.id, { row, match, digest: digestOf(match) }] as const;
  });
  return {
    suggestions: new Map(suggestions),
    world,
    documents: new Map(world.documents.map((one) => [`${one.kind} ${one.id}`, one])),
    accountNames: await listAccountNames(db),
  };
}

/** A row with what was suggested of it when a person said yes. */
export interface Approval {
  readonly rowId: string;
  readonly digest: string;
}

/**
 * Books rows as what they were suggested to be. A row that somebody else has booked meanwhile, or whose suggestion is
 * another by now, is refused, and the others are booked.
 */
export async function bookSuggested(
  tx: Tx,
  approvals: readonly Approval[],
  by: { readonly today: string; readonly actor: string },
): Promise<BookedRows> {
  await lockBankAccounts(tx);
  const { suggestions } = await suggestMatches(tx, { ids: approvals.map(({ rowId }) => rowId) });
  const refused: RefusedRow[] = [];
  const decisions = new Map<string, Decision>();
  for (const { rowId, digest } of approvals) {
    const suggestion = suggestions.get(rowId);
    const decision =
      suggestion && suggestion.digest === digest ? decisionOf(suggestion, suggestions) : null;
    if (decision === null) refused.push({ rowId, fault: suggestion ? changed : taken });
    else if (!(decision.other && decisions.has(decision.other.id))) decisions.set(rowId, decision);
  }
  const done = await bookDecisions(tx, [...decisions.values()], by);
  return { booked: done.booked, refused: [...refused, ...done.refused] };
}

/** Rows of a transaction. */
const rowsAtOnce = 500;
/** Rows that are held against each other before any of them is booked without a person. */
const rowsJudgedMax = 20_000;

/**
 * Books every row that is exact, some hundred in a transaction; those that a lock is in the way of stay. What is exact is
 * judged among all rows: of some hundred alone, a row may seem the only one that a voucher or an invoice can mean. Answers
 * how many. Runs again without harm.
 */
export async function bookExact(
  pool: Pool,
  by: { readonly today: string; readonly actor: string; readonly signal?: AbortSignal },
): Promise<number> {
  let booked = 0;
  for (;;) {
    const { exact, judged } = await findExact(pool);
    const before = booked;
    for (let from = 0; from < exact.length; from += rowsAtOnce) {
      by.signal?.throwIfAborted();
      const some = exact.slice(from, from + rowsAtOnce);
      booked += await withTx(pool, (tx) => bookThose(tx, some, by));
    }
    // Those behind so many are judged when these are booked.
    if (judged < rowsJudgedMax || booked === before) return booked;
  }
}

/** The oldest first, out of so many. */
async function findExact(pool: Pool): Promise<{ exact: Approval[]; judged: number }> {
  const { suggestions } = await suggestMatches(db(pool), { latest: rowsJudgedMax });
  const exact = [...suggestions.values()]
    .filter(({ match }) => match.certainty === 'exact')
    .map(({ row, digest }) => ({ rowId: row.id, digest }))
    .reverse();
  return { exact, judged: suggestions.size };
}

/** Those of the rows that are exact still, as they were. */
async function bookThose(
  tx: Tx,
  some: readonly Approval[],
  by: { readonly today: string; readonly actor: string },
): Promise<number> {
  await lockBankAccounts(tx);
  const ids = some.map(({ rowId }) => rowId);
  const { suggestions } = await suggestMatches(tx, { latest: 0, ids }, { areNamed: true });
  const decisions = some
    .map(({ rowId, digest }) => {
      const one = suggestions.get(rowId);
      const isSo = one?.match.certainty === 'exact' && one.digest === digest;
      return isSo ? decisionOf(one, suggestions) : null;
    })
    .filter((one) => one !== null);
  const { booked } = await bookDecisions(tx, decisions, by);
  return booked.length;
}

function decisionOf(
  { row, match }: Suggestion,
  all: ReadonlyMap<string, Suggestion>,
): Decision | null {
  if (match.certainty === 'none') return null;
  const { target } = match;
  const other = target.kind === 'transfer' ? (all.get(target.rowId)?.row ?? null) : null;
  return { row, target, other };
}

const changed: Fault = { path: 'transactionId', reason: 'suggestion_changed' };
const taken: Fault = { path: 'transactionId', reason: 'already_matched' };

const digestOf = (match: Match): string =>
  createHash('sha256')
    .update(jsonOf(match.certainty === 'none' ? match : match.target))
    .digest('hex')
    .slice(0, 16);
