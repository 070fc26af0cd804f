/** What was paid on suppliers' invoices. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { SettlementKind } from '../../domain/ledger/settlement-accounts.ts';
import { uuid } from '../../lib/uuid.ts';
import { payingTwiceRefusal } from '../payment-files/store.ts';

export interface NewPurchasePayment {
  readonly invoiceId: string;
  readonly date: string;
  /** `set_off` is one half of a set-off; the other is a payment of our own invoice, or of another of the supplier's. */
  readonly kind: SettlementKind | 'set_off';
  /** So much of the debt, in öre. */
  readonly amountOre: bigint;
  readonly account: number;
  readonly voucherId: string;
  readonly createdBy: string;
}

/** Registers rows of one payment; the database lessens what is left to pay by their sum. */
export async function insertPurchasePayments(
  tx: Tx,
  payments: readonly NewPurchasePayment[],
): Promise<void> {
  await tx
    .query(sql`insert into purchases.payments (id, invoice_id, paid_on, kind, amount_ore,
      account, voucher_id, created_by)
    select * from unnest(${payments.map(() => uuid())}::uuid[],
      ${payments.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${payments.map(({ date }) => date)}::date[],
      ${payments.map(({ kind }) => kind)}::text[],
      ${payments.map(({ amountOre }) => amountOre)}::bigint[],
      ${payments.map(({ account }) => account)}::integer[],
      ${payments.map(({ voucherId }) => voucherId)}::uuid[],
      ${payments.map(({ createdBy }) => createdBy)}::text[])`)
    .catch((error) => {
      throw payingTwiceRefusal(error, 'amount') ?? error;
    });
}

/** Everything that was paid on an invoice so far, in öre. */
export async function sumPaid(tx: Tx, invoiceId: string): Promise<bigint> {
  const [paid] = await tx.query<{ ore: bigint }>(
    sql`select coalesce(sum(amount_ore), 0)::bigint as ore from purchases.payments
        where invoice_id = ${invoiceId}::uuid`,
  );
  return paid?.ore ?? 0n;
}

/** So much of what was paid on an invoice as was set off, in öre: no money came or went for it. */
export async function sumSetOff(tx: Tx, invoiceId: string): Promise<bigint> {
  const [setOff] = await tx.query<{ ore: bigint }>(
    sql`select coalesce(sum(amount_ore), 0)::bigint as ore from purchases.payments
        where invoice_id = ${invoiceId}::uuid and kind = 'set_off'`,
  );
  return setOff?.ore ?? 0n;
}

/** What money has settled of the invoice through an account, in öre. */
export async function sumThrough(tx: Tx, invoiceId: string, account: number): Promise<bigint> {
  const [paid] = await tx.query<{ ore: bigint }>(
    sql`select coalesce(sum(amount_ore), 0)::bigint as ore from purchases.payments
        where invoice_id = ${invoiceId}::uuid and account = ${account} and kind = 'money'`,
  );
  return paid?.ore ?? 0n;
}

export interface SetOffChoice {
  id: string;
  invoice_number: string;
  kind: 'invoice' | 'credit_note';
  issue_date: string;
  open_ore: bigint;
  /** So much of it is set off against the purchase already. */
  set_off_ore: bigint;
}

/** What is set off between the purchases `p` and `o`, in öre, above zero whichever is the credit note. */
const setOffBetween = sql`(select coalesce(abs(sum(m.amount_ore)), 0)::bigint from purchases.payments m
  join purchases.payments t on t.voucher_id = m.voucher_id and t.invoice_id = o.id
  where m.invoice_id = p.id and m.kind = 'set_off')`;

/**
 * The same supplier's documents that owe the other way than a booked purchase does, and those set off
 * against it already; oldest first.
 */
export function listSetOffChoices(db: Db, purchaseId: string): Promise<SetOffChoice[]> {
  return db.query(sql`select o.id, o.invoice_number, o.kind, o.issue_date, o.open_ore,
      ${setOffBetween} as set_off_ore
    from purchases.invoices p
    join purchases.invoices o on o.supplier_id = p.supplier_id and o.id <> p.id and o.status = 'booked'
    where p.id = ${purchaseId}::uuid
      and (p.open_ore > 0 and o.open_ore < 0 or p.open_ore < 0 and o.open_ore > 0
        or ${setOffBetween} <> 0)
    order by o.issue_date, o.id limit 100`);
}

/** What is set off between the two, in öre. */
export async function sumSetOffBetween(tx: Tx, one: string, other: string): Promise<bigint> {
  const [sum] = await tx.query<{ ore: bigint }>(sql`select ${setOffBetween} as ore
    from purchases.invoices p cross join purchases.invoices o
    where p.id = ${one}::uuid and o.id = ${other}::uuid`);
  return sum?.ore ?? 0n;
}
