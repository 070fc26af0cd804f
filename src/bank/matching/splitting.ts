/** What people say of rows that no suggestion is right for: one row split over several accounts and invoices, and several rows that one voucher books. */
import type { Tx } from '../../db/pool.ts';
import { absolute, type Ore, sum } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import { goesAs } from '../../domain/ledger/bank-matching/documents.ts';
import type { MatchPart } from '../../domain/ledger/bank-matching/match.ts';
import type { SplitTarget } from '../../domain/ledger/bank-matching/posting.ts';
import { documentAccounts } from '../../domain/ledger/settlement-accounts.ts';
import { type Fault, movingFaults, refuse } from '../../lib/errors.ts';
import { paidOre } from '../booking.ts';
import { matchTransaction } from '../service.ts';
import { lockBankAccounts } from '../transaction-store.ts';
import { bookDecisions, type RefusedRow } from './booking.ts';
import { lockDocuments } from './booking-store.ts';
import { listUnmatchedRows } from './world-store.ts';

/** One part of a row; the amount is above zero when it goes the row's way. */
export type SplitLine = { readonly amountOre: Ore } & (
  | { readonly kind: 'account'; readonly account: number; readonly note: string | null }
  | {
      readonly kind: 'invoice' | 'purchase';
      readonly documentId: string;
      /** Of one in another currency: what the kronor are of it, in hundredths of its currency, above zero. */
      readonly currencyPart?: bigint | null;
    }
);

interface Split {
  readonly transactionId: string;
  /** The voucher's day: the bank's, or where that is locked one that is open. */
  readonly date: string;
  readonly today: string;
  readonly lines: readonly SplitLine[];
}

/** Books a row as all of its parts, by one voucher. Throws 422 with all that is wrong, at `rows[<place>]`. */
export async function splitRow(tx: Tx, split: Split, actor: string): Promise<string> {
  await lockBankAccounts(tx);
  const { transactionId, date, today, lines } = split;
  const [row] = await listUnmatchedRows(tx, { latest: 0, ids: [transactionId] });
  if (!row) throw refuse('unprocessable', [{ path: '', reason: 'already_matched' }]);
  const isIn = row.amountOre > 0n;
  const signed = lines.map((line) => ({
    ...line,
    amountOre: isIn ? line.amountOre : -line.amountOre,
  }));
  refuseAny([
    ...futureProblems('date', date, today),
    ...lineProblems(lines, row.ledgerAccount),
    ...sumProblems(lines, absolute(row.amountOre)),
  ]);
  const target = targetOf(await inBookedKronor(tx, signed));
  refuseAny(await openProblems(tx, signed, target.parts));
  const decision = { row: { ...row, day: date }, target, other: null };
  const { booked, refused } = await bookDecisions(tx, [decision], { today, actor });
  const [done] = booked;
  if (!done)
    throw refuse(
      'unprocessable',
      refused.map(({ fault }) => atLine(fault, lines)),
    );
  return done.voucherId;
}

/** What the ledger says of a row of the voucher is said of the line that has its account. */
function atLine<Found extends RefusedRow['fault']>(
  fault: Found,
  lines: readonly SplitLine[],
): Found {
  if (!fault.path.startsWith('rows[')) return fault;
  const said = fault.params && 'account' in fault.params ? fault.params.account : null;
  const place = lines.findIndex((line) => line.kind === 'account' && line.account === said);
  return { ...fault, path: place < 0 ? '' : `rows[${place}].what` };
}

function lineProblems(lines: readonly SplitLine[], own: number): Fault[] {
  const problems = lines.flatMap((line, place): Fault[] => {
    const path = (name: string) => `rows[${place}].${name}`;
    if (line.amountOre === 0n) {
      return [{ path: path('amount'), reason: 'no_amount', params: { of: 'voucher' } }];
    }
    if (line.kind !== 'account') return [];
    const params = { account: line.account };
    if (line.account === own) return [{ path: path('what'), reason: 'own_account', params }];
    if (!documentAccounts.has(line.account)) return [];
    return [{ path: path('what'), reason: 'account_of_invoices', params }];
  });
  const kinds = new Set(lines.map(({ kind }) => kind));
  if (kinds.has('invoice') && kinds.has('purchase')) {
    problems.push({ path: '', reason: 'split_of_both' });
  }
  if (lines.length < 2) problems.push({ path: '', reason: 'split_too_few' });
  return problems;
}

function sumProblems(lines: readonly SplitLine[], expectedOre: Ore): Fault[] {
  const foundOre = sum(lines.map(({ amountOre }) => amountOre));
  if (foundOre === expectedOre) return [];
  const params = { foundOre, expectedOre, differenceOre: expectedOre - foundOre };
  return [{ path: '', reason: 'split_sum_differs', params }];
}

/** A line with what the krona has moved since its part of a document was booked, by the bank's sign. */
type BookedLine = SplitLine & { readonly exchangeOre: Ore };

/** Lines that say how much of a currency they are pay what that was booked on; the rest of them is exchange. */
async function inBookedKronor(tx: Tx, lines: readonly SplitLine[]): Promise<BookedLine[]> {
  const booked: BookedLine[] = [];
  for (const [place, line] of lines.entries()) {
    if (line.kind === 'account' || (line.currencyPart ?? null) === null) {
      booked.push({ ...line, exchangeOre: 0n });
      continue;
    }
    const { kind, documentId, currencyPart = null } = line;
    const partOre = await paidOre(tx, line.amountOre, { kind, documentId, currencyPart }).catch(
      (error) => {
        throw movingFaults(error, () => `rows[${place}].currencyPart`);
      },
    );
    booked.push({ ...line, amountOre: partOre, exchangeOre: line.amountOre - partOre });
  }
  return booked;
}

/** One part a document, however many lines it has. */
function targetOf(lines: readonly BookedLine[]): SplitTarget {
  const documents = lines.filter((line) => line.kind !== 'account');
  const byDocument = Map.groupBy(documents, ({ kind, documentId }) => `${kind} ${documentId}`);
  const parts = [...byDocument.values()].flatMap((some): MatchPart[] => {
    const [first] = some;
    if (!first) return [];
    const { kind, documentId } = first;
    return [{ kind, documentId, amountOre: sum(some.map(({ amountOre }) => amountOre)) }];
  });
  const differences = documents
    .filter(({ exchangeOre }) => exchangeOre !== 0n)
    .map(({ documentId, exchangeOre: amountOre }) => {
      return { kind: 'exchange', documentId, amountOre } as const;
    });
  const accounts = lines.filter((line) => line.kind === 'account');
  return { kind: 'split', parts, differences, accounts };
}

/** More than is open of a document, with what was written off of it and may come after all, is something else's. */
async function openProblems(
  tx: Tx,
  lines: readonly SplitLine[],
  parts: readonly MatchPart[],
): Promise<Fault[]> {
  const idsOf = (kind: MatchPart['kind']) =>
    parts.filter((part) => part.kind === kind).map(({ documentId }) => documentId);
  const held = await lockDocuments(tx, {
    invoices: idsOf('invoice'),
    purchases: idsOf('purchase'),
  });
  return parts.flatMap((part): Fault[] => {
    const document = held.find(({ kind, id }) => kind === part.kind && id === part.documentId);
    const openOre = document?.openOre ?? 0n;
    if (goesAs(part.amountOre, openOre) && absolute(part.amountOre) <= absolute(openOre)) return [];
    const place = lines.findIndex(
      (line) => line.kind !== 'account' && line.documentId === part.documentId,
    );
    const params = { number: document?.number ?? '', openOre: absolute(openOre) };
    return [{ path: `rows[${place}].amount`, reason: 'split_exceeds_open', params }];
  });
}

/** One voucher books all of the rows, or none. Throws 422 as `matchTransaction`. */
export async function matchRowsWithVoucher(
  tx: Tx,
  { rowIds, voucherId }: { readonly rowIds: readonly string[]; readonly voucherId: string },
  actor: string,
): Promise<void> {
  await lockBankAccounts(tx);
  for (const transactionId of rowIds) {
    await matchTransaction(tx, { transactionId, voucherId }, actor);
  }
}
