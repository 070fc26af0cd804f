/** What was paid on suppliers' invoices. */
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { SettlementKind } from '../../domain/ledger/settlement-accounts.ts';
import { uuid } from '../../lib/uuid.ts';

export interface NewPurchasePayment {
  readonly invoiceId: string;
  readonly date: string;
  /** `set_off` is one half of a set-off; the other is a payment of our own invoice. */
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
  await tx.query(sql`insert into purchases.payments (id, invoice_id, paid_on, kind, amount_ore,
      account, voucher_id, created_by)
    select * from unnest(${payments.map(() => uuid())}::uuid[],
      ${payments.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${payments.map(({ date }) => date)}::date[],
      ${payments.map(({ kind }) => kind)}::text[],
      ${payments.map(({ amountOre }) => amountOre)}::bigint[],
      ${payments.map(({ account }) => account)}::integer[],
      ${payments.map(({ voucherId }) => voucherId)}::uuid[],
      ${payments.map(({ createdBy }) => createdBy)}::text[])`);
}

/** Everything that was paid on an invoice so far, in öre. */
export async function sumPaid(tx: Tx, invoiceId: string): Promise<bigint> {
  const [paid] = await tx.query<{ ore: bigint }>(
    sql`select coalesce(sum(amount_ore), 0)::bigint as ore from purchases.payments
        where invoice_id = ${invoiceId}::uuid`,
  );
  return paid?.ore ?? 0n;
}

/** What money has settled of the invoice through an account, in öre. */
export async function sumThrough(tx: Tx, invoiceId: string, account: number): Promise<bigint> {
  const [paid] = await tx.query<{ ore: bigint }>(
    sql`select coalesce(sum(amount_ore), 0)::bigint as ore from purchases.payments
        where invoice_id = ${invoiceId}::uuid and account = ${account} and kind = 'money'`,
  );
  return paid?.ore ?? 0n;
}
