/**
 * Booking what rows are held for, many at once: a voucher for each, and what it settles. What the ledger refuses of one
 * harms no other. The accounts of the rows must be held since before they were matched (`lockBankAccounts`).
 */
import { recordEvents } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { oreToNumber, sum } from '../../domain/basics/money.ts';
import { futureProblems } from '../../domain/basics/problems.ts';
import type {
  MatchPart,
  MatchTarget,
  UnmatchedRow,
} from '../../domain/ledger/bank-matching/match.ts';
import {
  accountPosting,
  type DocumentPayment,
  type PayableDocument,
  paymentPosting,
  type RowPosting,
  type SplitTarget,
  splitPosting,
  transferPosting,
} from '../../domain/ledger/bank-matching/posting.ts';
import { postToLedger } from '../../ledger/vouchers/posting-store.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import type { Fault, Problem } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { insertPurchasePayments } from '../../purchases/inbox/payment-store.ts';
import { taxName } from '../../purchases/payment-files/register.ts';
import { setPaid } from '../../purchases/payment-files/store.ts';
import { lossTaker } from '../../sales/invoices/losses.ts';
import { insertPayments } from '../../sales/invoices/settlement-store.ts';
import { lockWaiting, setPaidOut } from '../provider-settlements/store.ts';
import { findBookedAs, listTaxPayouts, lockDocuments, setMatches } from './booking-store.ts';

/** As much of a row as booking it needs; the day is the voucher's. */
export type BookedRow = Pick<UnmatchedRow, 'id' | 'ledgerAccount' | 'amountOre' | 'day' | 'text'>;

export interface Decision {
  readonly row: BookedRow;
  readonly target: MatchTarget | SplitTarget;
  /** Of a transfer, the row of the other account. */
  readonly other: BookedRow | null;
}

export interface RefusedRow {
  readonly rowId: string;
  /** Why not; at the date where a lock is in the way. */
  readonly fault: Fault | Problem;
}

export interface BookedRows {
  readonly booked: readonly { readonly rowId: string; readonly voucherId: string }[];
  readonly refused: readonly RefusedRow[];
}

interface By {
  readonly today: string;
  readonly actor: string;
}

/** A row with the voucher that is to book it; null where the books have it already. */
interface Ready {
  readonly rowIds: readonly string[];
  readonly day: string;
  readonly voucherId: string;
  readonly posting: RowPosting | null;
  /** The bank's words, as the reference of what is paid. */
  readonly text: string;
  /** Payments of our files that it is. */
  readonly payoutIds?: readonly string[];
  /** What a provider has said that it is. */
  readonly settlementId?: string;
}

export async function bookDecisions(
  tx: Tx,
  decisions: readonly Decision[],
  { today, actor }: By,
): Promise<BookedRows> {
  const resolved = await Promise.all(decisions.map((one) => resolveReturn(tx, one)));
  const find = await heldDocuments(tx, resolved);
  const waiting = await lockWaiting(
    tx,
    resolved.flatMap(({ target }) => (target.kind === 'settlement' ? [target.settlementId] : [])),
  );
  const taxes = await taxWords(tx, resolved);
  const refused: RefusedRow[] = [];
  const ready: Ready[] = [];
  for (const decision of resolved) {
    const prepared = prepare(decision, { find, waiting, taxes, today });
    if (Array.isArray(prepared)) {
      refused.push(...prepared.slice(0, 1).map((fault) => ({ rowId: decision.row.id, fault })));
    } else ready.push(prepared as Ready);
  }
  const done = await post(tx, ready, { actor, refused });
  await setPaid(
    tx,
    done.flatMap(({ payoutIds = [], voucherId }) =>
      payoutIds.map((payoutId) => ({ payoutId, voucherId })),
    ),
  );
  await setPaidOut(
    tx,
    done.flatMap(({ settlementId, voucherId }) =>
      settlementId === undefined ? [] : [{ settlementId, voucherId }],
    ),
  );
  await settle(tx, done, actor);
  const booked = done.flatMap(({ rowIds, voucherId }) =>
    rowIds.map((rowId) => ({ rowId, voucherId })),
  );
  await setMatches(tx, booked, actor);
  await recordEvents(
    tx,
    booked.map(({ rowId, voucherId }) => ({
      actor,
      action: 'bank.matched',
      subject: rowId,
      detail: { voucher_id: voucherId },
    })),
  );
  return { booked, refused };
}

/** What payments of files that are no document's pay, by id: the bank's own text says nothing of it. */
async function taxWords(
  tx: Tx,
  decisions: readonly Decision[],
): Promise<ReadonlyMap<string, string>> {
  const ids = decisions.flatMap(({ target }) =>
    target.kind === 'account' ? (target.payoutIds ?? []) : [],
  );
  const found = ids.length === 0 ? [] : await listTaxPayouts(tx, ids);
  return new Map(found.map(({ id, tax, file }) => [id, `${taxName(tax)} (betalfil ${file})`]));
}

/** A payment that came back takes back what the earlier row paid, or goes against the account that row was booked on. */
async function resolveReturn(tx: Tx, decision: Decision): Promise<Decision> {
  const { target, row } = decision;
  if (target.kind !== 'return') return decision;
  const { parts, accounts, counterparty } = await findBookedAs(tx, target.earlierId);
  if (parts.length > 0) {
    const back = parts.map((part) => ({ ...part, amountOre: -part.amountOre }));
    const isWhole = sum(back.map(({ amountOre }) => amountOre)) === row.amountOre;
    if (!isWhole) return decision;
    return { ...decision, target: { kind: 'documents', parts: back, difference: null } };
  }
  const [account, ...others] = accounts;
  if (account === undefined || others.length > 0) return decision;
  return { ...decision, target: { kind: 'account', account, ruleId: null, counterparty } };
}

/** Holds every document that is to be paid. */
async function heldDocuments(
  tx: Tx,
  decisions: readonly Decision[],
): Promise<(part: MatchPart) => PayableDocument | undefined> {
  const parts = decisions.flatMap(({ target }) =>
    target.kind === 'documents' || target.kind === 'split' ? target.parts : [],
  );
  const idsOf = (kind: MatchPart['kind']): string[] => [
    ...new Set(parts.filter((part) => part.kind === kind).map(({ documentId }) => documentId)),
  ];
  const held = await lockDocuments(tx, {
    invoices: idsOf('invoice'),
    purchases: idsOf('purchase'),
  });
  const withLosses = await Promise.all(
    held.map(async (one) => {
      const [first] = one.losses ?? [];
      if (!first) return one;
      return { ...one, takeLossBack: await lossTaker(tx, one.id, first.account) };
    }),
  );
  const byId = new Map(withLosses.map((one) => [`${one.kind} ${one.id}`, one]));
  return ({ kind, documentId }) => byId.get(`${kind} ${documentId}`);
}

function prepare(
  { row, target, other }: Decision,
  {
    find,
    waiting,
    taxes,
    today,
  }: {
    readonly find: (part: MatchPart) => PayableDocument | undefined;
    /** Settlements whose payout no voucher books yet. */
    readonly waiting: ReadonlySet<string>;
    /** What payments of files pay that are no document's. */
    readonly taxes: ReadonlyMap<string, string>;
    readonly today: string;
  },
): Ready | readonly Fault[] {
  const future = futureProblems('date', row.day, today);
  if (future.length > 0) return future;
  const whole = { rowIds: [row.id], day: row.day, text: row.text, voucherId: uuid() };
  switch (target.kind) {
    case 'voucher':
      return { ...whole, voucherId: target.voucherId, posting: null };
    case 'documents': {
      const { parts, difference, payoutIds = [] } = target;
      const differences = difference ? [difference] : [];
      const posting = paymentPosting(row, { parts, differences, payoutIds }, find);
      if ('problems' in posting) return posting.problems;
      return { ...whole, posting, payoutIds };
    }
    case 'transfer': {
      if (!other) return [changed];
      // On the day that it left, so that it is never on both accounts.
      const left = row.amountOre < 0n ? row : other;
      const posting = transferPosting(row, other);
      return { ...whole, rowIds: [row.id, other.id], day: left.day, posting };
    }
    case 'account': {
      const { account, payoutIds = [], counterparty = null } = target;
      if (account === row.ledgerAccount) {
        return [{ path: 'account', reason: 'own_account', params: { account } }];
      }
      const words = payoutIds.flatMap((id) => taxes.get(id) ?? []).join(', ');
      return {
        ...whole,
        posting: accountPosting(row, account, { words, counterparty }),
        payoutIds,
      };
    }
    case 'split': {
      const posting = splitPosting(row, target, find);
      return 'problems' in posting ? posting.problems : { ...whole, posting };
    }
    case 'settlement': {
      const { account, settlementId } = target;
      if (!waiting.has(settlementId)) return [changed];
      return { ...whole, posting: accountPosting(row, account), settlementId };
    }
    case 'return':
      return [{ path: 'transactionId', reason: 'return_unclear' }];
  }
}

const changed: Fault = { path: 'transactionId', reason: 'suggestion_changed' };

/** What the ledger took; the rest is added to `refused`. */
async function post(
  tx: Tx,
  ready: readonly Ready[],
  { actor, refused }: { readonly actor: string; readonly refused: RefusedRow[] },
): Promise<Ready[]> {
  const posting = ready.filter(isPosting);
  const outcomes = await postToLedger(
    tx,
    posting.map(({ voucherId: id, day: date, posting: { payments: _, ...voucher } }) => ({
      ...voucher,
      id,
      date,
      actor,
    })),
  );
  const failed = new Set<Ready>();
  for (const [place, one] of posting.entries()) {
    const outcome = outcomes[place];
    if (!outcome?.error) continue;
    failed.add(one);
    const { whole, faults } = ledgerRefusal(outcome.error, outcome.detail ?? {});
    const [fault = changed] = whole ? [{ path: 'date', ...whole }] : faults;
    refused.push(...one.rowIds.map((rowId) => ({ rowId, fault })));
  }
  return ready.filter((one) => !failed.has(one));
}

const isPosting = (one: Ready): one is Ready & { readonly posting: RowPosting } =>
  one.posting !== null;

/** Characters of a payment's reference. */
const referenceMax = 200;

/** The payments of what was posted: what remains of each document follows in the database. */
async function settle(tx: Tx, done: readonly Ready[], actor: string): Promise<void> {
  const payments = done.flatMap(({ posting, voucherId, day, text }) =>
    (posting?.payments ?? []).map((payment) => ({ payment, voucherId, day, text })),
  );
  const of = (kind: DocumentPayment['kind']) =>
    payments
      .filter(({ payment }) => payment.kind === kind)
      .map(({ payment: { documentId, settles, account, amountOre }, voucherId, day, text }) => ({
        invoiceId: documentId,
        // The bank row keeps the whole text.
        reference: [...text].slice(0, referenceMax).join('') || null,
        date: day,
        kind: settles,
        account,
        amountOre,
        voucherId,
        createdBy: actor,
      }));
  const [ours, theirs] = [of('invoice'), of('purchase')];
  if (ours.length > 0) await insertPayments(tx, ours);
  if (theirs.length === 0) return;
  await insertPurchasePayments(tx, theirs);
  await recordEvents(
    tx,
    theirs.map(({ invoiceId, voucherId, amountOre }) => ({
      actor,
      action: 'purchase.paid',
      subject: invoiceId,
      detail: { voucher_id: voucherId, amount: oreToNumber(amountOre) },
    })),
  );
}
