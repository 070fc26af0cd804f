/** What rows of the bank may be, and booking them as that when a person, or the company's setting, says so. */
import { createHash } from 'node:crypto';
import { type Db, type Pool, type Tx, withTx } from '../../db/pool.ts';
import type {
  Match,
  MatchDocument,
  MatchWorld,
  UnmatchedRow,
} from '../../domain/ledger/bank-matching/match.ts';
import { matchRows } from '../../domain/ledger/bank-matching/matching.ts';
import type { Fault } from '../../lib/errors.ts';
import { holdAccounts } from '../statements/importing.ts';
import { type BookedRows, bookDecisions, type Decision, type RefusedRow } from './booking.ts';
import { lockAccountsOf } from './booking-store.ts';
import { listAccountNames, listUnmatchedRows, loadWorld, type RowPortion } from './world-store.ts';

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

/** Of the rows that are not matched; the latest where they are very many. */
export async function suggestMatches(db: Db, portion?: RowPortion): Promise<Suggested> {
  const rows = await listUnmatchedRows(db, portion);
  const world = await loadWorld(db, rows);
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
  await lockAccountsOf(
    tx,
    approvals.map(({ rowId }) => rowId),
  );
  const { suggestions } = await suggestMatches(tx);
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

const rowsAtOnce = 500;

/**
 * Books every row that is exact, the oldest first, some hundred in a transaction; those that a lock is in the way of stay.
 * Answers how many. Runs again without harm.
 */
export async function bookExact(
  pool: Pool,
  by: { readonly today: string; readonly actor: string; readonly signal?: AbortSignal },
): Promise<number> {
  let booked = 0;
  for (let after: RowPortion['after'] = null; ; ) {
    by.signal?.throwIfAborted();
    const done = await withTx(pool, (tx) => bookExactAfter(tx, after, by));
    booked += done.booked;
    if (done.last === null) return booked;
    after = done.last;
  }
}

async function bookExactAfter(
  tx: Tx,
  after: RowPortion['after'],
  by: { readonly today: string; readonly actor: string },
): Promise<{ booked: number; last: RowPortion['after'] }> {
  await holdAccounts(tx);
  const { suggestions } = await suggestMatches(tx, { after, limit: rowsAtOnce });
  const found = [...suggestions.values()];
  const decisions = found
    .filter(({ match }) => match.certainty === 'exact')
    .map((one) => decisionOf(one, suggestions))
    .filter((one) => one !== null);
  const { booked } = await bookDecisions(tx, decisions, by);
  const last = found.at(-1)?.row ?? null;
  return { booked: booked.length, last: found.length < rowsAtOnce ? null : last };
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
    .update(
      JSON.stringify(match.certainty === 'none' ? match : match.target, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    )
    .digest('hex')
    .slice(0, 16);
