/** Suppliers' invoices: matched, coded, booked, rejected, paid. Always by somebody. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { sum } from '../../domain/basics/money.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import { vatGaps } from '../../domain/purchases/reverse-charge.ts';
import {
  type LedgerOutcome,
  type LedgerVoucher,
  postToLedger,
} from '../../ledger/vouchers/posting-store.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { type Fault, type Reasoned, type Refusal, refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { createSupplier } from '../suppliers/service.ts';
import { addSupplierAccounts, findSupplierState, isEndpointTaken } from '../suppliers/store.ts';
import {
  type LockedPurchase,
  listActiveAccounts,
  lockPurchases,
  replaceRows,
  setBooked,
  setBookingRefusal,
  setRejected,
  setSupplier,
} from './store.ts';

const series = 'D';

/** Whose invoice it is, by a person's word. */
export async function matchToSupplier(
  tx: Tx,
  { purchaseId, supplierId }: { readonly purchaseId: string; readonly supplierId: string },
  actor: string,
): Promise<void> {
  const purchase = await lockReceived(tx, purchaseId);
  await requireActive(tx, supplierId);
  await setSupplier(tx, purchase.id, supplierId);
  const detail = { supplier_id: supplierId };
  await recordEvent(tx, { actor, action: 'purchase.matched', subject: purchaseId, detail });
}

/** Throws 422 when the supplier is gone or inactive, as it may be since the person chose it. */
export async function requireActive(tx: Tx, supplierId: string): Promise<void> {
  const supplier = await findSupplierState(tx, supplierId);
  if (supplier?.is_active) return;
  const why: Reasoned = supplier
    ? { reason: 'inactive_supplier', params: { name: supplier.name } }
    : { reason: 'unknown_supplier' };
  throw refuse('unprocessable', [{ path: 'supplier', ...why }]);
}

/**
 * Makes a supplier of what the document says of its seller, and matches the invoice to it. An electronic
 * address that another supplier has, as those of one office do, stays with that one.
 */
export async function createSupplierOf(
  tx: Tx,
  purchaseId: string,
  actor: string,
): Promise<{ id: string; name: string }> {
  const { seller, payment } = await lockReceived(tx, purchaseId);
  const isShared = seller.endpoint !== null && (await isEndpointTaken(tx, seller.endpoint));
  const supplier = await createSupplier(
    tx,
    {
      ...seller,
      endpoint: isShared ? null : seller.endpoint,
      name: seller.name.slice(0, 200),
      countryCode: /^[A-Z]{2}$/.test(seller.countryCode) ? seller.countryCode : 'SE',
      account: null,
      accounts: payment.accounts,
    },
    actor,
  );
  await matchToSupplier(tx, { purchaseId, supplierId: supplier.id }, actor);
  return supplier;
}

/** The rows it is to be booked on, in kronor, instead of those suggested. They must balance. */
export async function setRows(
  tx: Tx,
  purchaseId: string,
  rows: readonly PostingRow[],
  actor: string,
): Promise<void> {
  const purchase = await lockReceived(tx, purchaseId);
  const debit = sum(rows.map(({ debitOre }) => debitOre));
  if (rows.length < 2 || debit !== sum(rows.map(({ creditOre }) => creditOre))) {
    throw refuseWhole('unprocessable', 'purchase_rows_unbalanced');
  }
  await replaceRows(tx, purchase.id, rows);
  await recordEvent(tx, { actor, action: 'purchase.coded', subject: purchaseId });
}

/** Throws 422 naming each row whose account does not exist or is inactive; `path` is the row's own. */
export async function requireAccounts(
  tx: Tx,
  rows: readonly { readonly account: number; readonly path: string }[],
): Promise<void> {
  const known = await listActiveAccounts(
    tx,
    rows.map(({ account }) => account),
  );
  const problems = rows
    .filter(({ account }) => !known.has(account))
    .map(
      ({ account, path }): Fault => ({ path, reason: 'account_not_usable', params: { account } }),
    );
  if (problems.length > 0) throw refuse('unprocessable', problems);
}

export async function rejectPurchase(
  tx: Tx,
  purchaseId: string,
  reason: string,
  actor: string,
): Promise<void> {
  const purchase = await lockOpen(tx, purchaseId);
  await setRejected(tx, purchase.id, reason, actor);
  const detail = { reason };
  await recordEvent(tx, { actor, action: 'purchase.rejected', subject: purchaseId, detail });
}

async function lockOpen(tx: Tx, purchaseId: string): Promise<LockedPurchase> {
  const [purchase] = await lockPurchases(tx, [purchaseId]);
  if (!purchase) throw refuseWhole('unprocessable', 'no_purchase', { id: purchaseId });
  if (purchase.status === 'booked') throw refuseWhole('unprocessable', 'purchase_booked');
  if (purchase.status === 'rejected') throw refuseWhole('unprocessable', 'purchase_rejected');
  return purchase;
}

/** One that came; what a person has written is written anew where it was. */
async function lockReceived(tx: Tx, purchaseId: string): Promise<LockedPurchase> {
  const purchase = await lockOpen(tx, purchaseId);
  if (purchase.is_by_hand) throw refuseWhole('unprocessable', 'written_by_hand');
  return purchase;
}

export interface PurchaseOutcome {
  readonly id: string;
  readonly voucherId: string | null;
  /** Why it was not booked. */
  readonly refusal: Refusal | null;
  /** By somebody before, or in another tab: nothing new is. */
  readonly wasBooked: boolean;
}

/**
 * Books purchases through the ledger in the caller's transaction. One that is booked already is left as
 * it is, so booking twice books once; one that is refused keeps the reason, and its neighbours are
 * booked. In id order; an id of none has no outcome.
 */
export async function bookPurchases(
  tx: Tx,
  ids: readonly string[],
  actor: string,
  date?: string,
): Promise<PurchaseOutcome[]> {
  const purchases = await lockPurchases(tx, ids);
  const judged = purchases.map((purchase) => ({
    purchase,
    refusal: obstacleTo(purchase),
    voucher: voucherOf(purchase, actor, date),
  }));
  const sound = judged.filter(({ purchase, refusal }) => isOpen(purchase) && !refusal);
  // A document of zero kronor has nothing to post, but meets the same years and locks.
  const [bookable, empty] = [
    sound.filter(({ purchase }) => purchase.rows.length > 0),
    sound.filter(({ purchase }) => purchase.rows.length === 0),
  ];
  const outcomeOf = new Map([
    ...(await judgedByLedger(tx, bookable, { dryRun: false })),
    ...(await judgedByLedger(tx, empty, { dryRun: true })),
  ]);
  const outcomes: PurchaseOutcome[] = [];
  for (const one of judged) {
    const { purchase, voucher } = one;
    const outcome = outcomeOf.get(one);
    const error = outcome?.error;
    const refusal = error ? ledgerRefusal(error, outcome.detail ?? {}) : one.refusal;
    const isEmpty = empty.includes(one);
    if (outcome && !error && isEmpty) await settleEmpty(tx, purchase, voucher.date, actor);
    else if (outcome && !error) await settleBooked(tx, purchase, voucher, actor);
    else if (refusal && isOpen(purchase)) await noteRefusal(tx, purchase.id, refusal);
    const voucherId = outcome && !error && !isEmpty ? voucher.id : purchase.voucher_id;
    const wasBooked = purchase.status === 'booked';
    outcomes.push({ id: purchase.id, voucherId, refusal, wasBooked });
  }
  return outcomes;
}

/** What the ledger says of each; dry, it posts nothing. */
async function judgedByLedger<One extends { readonly voucher: LedgerVoucher }>(
  tx: Tx,
  judged: readonly One[],
  options: { readonly dryRun: boolean },
): Promise<[One, LedgerOutcome | undefined][]> {
  if (judged.length === 0) return [];
  const vouchers = judged.map(({ voucher }) => voucher);
  const outcomes = await postToLedger(tx, vouchers, options);
  return judged.map((one, index) => [one, outcomes[index]]);
}

export interface BookedTogether {
  readonly booked: number;
  /** Those that somebody should look at one by one. */
  readonly toReview: number;
  /** Why the others were refused, in the order of their ids. */
  readonly refusals: readonly Refusal[];
}

/**
 * Books several that there is nothing to remark on. One that waits to be looked at is left: to book it is
 * to vouch for where its money goes.
 */
export async function bookUnremarked(
  tx: Tx,
  ids: readonly string[],
  actor: string,
): Promise<BookedTogether> {
  const purchases = await lockPurchases(tx, ids);
  const [toReview, sound] = [
    purchases.filter(({ status }) => status === 'review'),
    purchases.filter(({ status }) => status !== 'review'),
  ];
  const outcomes = await bookPurchases(
    tx,
    sound.map(({ id }) => id),
    actor,
  );
  const refusals = outcomes.flatMap(({ refusal }) => refusal ?? []);
  return { booked: outcomes.length - refusals.length, toReview: toReview.length, refusals };
}

const isOpen = ({ status }: LockedPurchase): boolean => status === 'new' || status === 'review';

/** What a person must do first. */
function obstacleTo(purchase: LockedPurchase): Refusal | null {
  const { status, supplier_id, rows } = purchase;
  if (status === 'booked') return null;
  if (status === 'rejected') return refuseWhole('unprocessable', 'purchase_rejected');
  if (supplier_id === null && purchase.laid_out_by === null)
    return refuseWhole('unprocessable', 'purchase_without_supplier');
  if (rows.length === 0 && !purchase.is_empty) {
    return refuseWhole('unprocessable', 'purchase_without_rows');
  }
  if (purchase.is_deducted_twice) return refuseWhole('unprocessable', 'prepayment_deducted_twice');
  const gaps = vatGaps(
    rows.map((row) => ({ ...row, ore: BigInt(row.debit) - BigInt(row.credit) })),
  );
  const faults = gaps.map(
    (gap): Fault => ({
      path: '',
      reason: 'reverse_charge_gap',
      params: { ...gap },
    }),
  );
  return faults.length === 0 ? null : refuse('unprocessable', faults);
}

function voucherOf(purchase: LockedPurchase, actor: string, date?: string): LedgerVoucher {
  const { issue_date, booking_date, supplier_name, seller, is_by_hand, rows } = purchase;
  const name = supplier_name ?? seller.name;
  return {
    id: uuid(),
    series: series,
    date: date ?? booking_date ?? issue_date,
    description: descriptionOf(purchase).slice(0, 500),
    counterparty: name.slice(0, 200),
    source: is_by_hand ? 'purchase_by_hand' : 'supplier_invoice',
    actor,
    rows: rows.map(({ account, debit, credit, note, costCenter, project }) => ({
      account,
      debitOre: BigInt(debit),
      creditOre: BigInt(credit),
      note,
      costCenter,
      project,
    })),
  };
}

function descriptionOf({ kind, invoice_number, laid_out_by }: LockedPurchase): string {
  if (laid_out_by !== null) {
    const word = kind === 'invoice' ? 'Utlägg' : 'Återfört utlägg';
    return `${word} av ${laid_out_by}: ${invoice_number}`;
  }
  const word = kind === 'invoice' ? 'Leverantörsfaktura' : 'Kreditfaktura från leverantör';
  return `${word} ${invoice_number}`;
}

async function settleBooked(
  tx: Tx,
  purchase: LockedPurchase,
  voucher: LedgerVoucher,
  actor: string,
): Promise<void> {
  await setBooked(tx, purchase.id, { voucherId: voucher.id, date: voucher.date }, actor);
  const detail = { voucher_id: voucher.id };
  await recordEvent(tx, { actor, action: 'purchase.booked', subject: purchase.id, detail });
  // Who booked it has vouched for where the money goes.
  if (purchase.supplier_id) {
    await addSupplierAccounts(tx, purchase.supplier_id, purchase.payment.accounts, actor);
  }
}

/** Booked without a voucher: nothing is owed, and nothing has happened in the books. */
async function settleEmpty(
  tx: Tx,
  { id }: LockedPurchase,
  date: string,
  actor: string,
): Promise<void> {
  await setBooked(tx, id, { voucherId: null, date }, actor);
  const detail = { voucher_id: null };
  await recordEvent(tx, { actor, action: 'purchase.booked', subject: id, detail });
}

async function noteRefusal(tx: Tx, id: string, refusal: Refusal): Promise<void> {
  const { whole, faults, detail } = refusal;
  await setBookingRefusal(tx, id, {
    ...detail,
    problems: whole ? [{ path: '', ...whole }] : faults,
  });
}
