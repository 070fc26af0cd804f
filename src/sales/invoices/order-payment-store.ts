/** What orders and refunds tell of payments: kept with their drafts, and booked with them (`sales.settle_as_ordered`). */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { OrderPayment } from '../../domain/sales/order-payments.ts';
import type { LedgerRefusal } from '../../ledger/vouchers/refusals.ts';

export interface PaidDraft {
  readonly id: string;
  readonly payments: readonly OrderPayment[];
}

export async function insertOrderPayments(tx: Tx, drafts: readonly PaidDraft[]): Promise<void> {
  const paid = drafts.flatMap(({ id, payments }) =>
    payments.map((payment, index) => ({ ...payment, id, place: index + 1 })),
  );
  if (paid.length === 0) return;
  await tx.query(sql`insert into sales.order_payments (invoice_id, place, method, account, amount_ore, tip_ore,
      tip_account, payment_date, reference)
    select * from unnest(${paid.map(({ id }) => id)}::uuid[], ${paid.map(({ place }) => place)}::integer[],
      ${paid.map(({ method }) => method)}::text[], ${paid.map(({ account }) => account)}::integer[],
      ${paid.map(({ amountOre }) => amountOre)}::bigint[], ${paid.map(({ tipOre }) => tipOre)}::bigint[],
      ${paid.map(({ tipAccount }) => tipAccount)}::integer[], ${paid.map(({ date }) => date)}::date[],
      ${paid.map(({ reference }) => reference)}::text[])`);
}

export interface ToldPayment {
  method: string;
  account: number;
  amount_ore: bigint;
  /** What of it is a tip. */
  tip_ore: bigint;
  payment_date: string;
  reference: string | null;
  voucher_id: string | null;
  /** The voucher's, `C12`. */
  voucher: string | null;
  /** Why it could not be booked, as the ledger said it. */
  refusal: { readonly error: LedgerRefusal; readonly detail: Record<string, unknown> } | null;
}

/** What the invoice's order told of payments, in its order. */
export function listOrderPayments(db: Db, invoiceId: string): Promise<ToldPayment[]> {
  return db.query(sql`select p.method, p.account, p.amount_ore, p.tip_ore, p.payment_date, p.reference, p.voucher_id,
      v.series || v.number as voucher, p.refusal
    from sales.order_payments p left join ledger.vouchers v on v.id = p.voucher_id
    where p.invoice_id = ${invoiceId}::uuid order by p.place`);
}
