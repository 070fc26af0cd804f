/** How a row of the bank was booked. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { SettlementKind } from '../../domain/ledger/settlement-accounts.ts';

export interface RowBooking {
  voucherId: string;
  series: string;
  label: string;
  date: string;
  description: string;
  counterparty: string | null;
  source: string;
  /** Whether it was booked as a payment, or from the row itself; another voucher stands by itself. */
  isOfTheRow: boolean;
  /** Whether a lock of VAT stops what takes it back. */
  touchesVat: boolean;
  /** All rows that the voucher books. */
  rowIds: string[];
  /** By the document's own sign: what was owed is owed no more. */
  payments: {
    kind: 'invoice' | 'purchase';
    documentId: string;
    number: string;
    settles: SettlementKind | 'set_off';
    account: number;
    amountOre: Ore;
    /** Whether so much has been paid back since that nothing is left of this payment to take back. */
    isPaidBack: boolean;
    /** It took a payment back: without it the document is paid again. */
    isReturn: boolean;
  }[];
}

/** Undefined when no voucher books it. */
export async function findBooking(db: Db, rowId: string): Promise<RowBooking | undefined> {
  const [voucher] = await db.query<Omit<RowBooking, 'payments'>>(sql`
    select v.id as "voucherId", v.series, v.series || v.number as label, v.verification_date as date,
      v.description, v.counterparty, v.source,
      v.source in ('payment', 'supplier_payment', 'bank') and not exists (
        select from ledger.corrections c where c.corrected_id = v.id)
        and not exists (select from bank.undone_bookings u where u.voucher_id = v.id) as "isOfTheRow",
      exists (select from ledger.voucher_rows r where r.voucher_id = v.id
        and (r.vat_code is not null or ledger.is_vat_account(r.account))) as "touchesVat",
      array(select o.id from bank.transactions o where o.voucher_id = v.id order by o.id) as "rowIds"
    from bank.transactions t join ledger.vouchers v on v.id = t.voucher_id where t.id = ${rowId}::uuid`);
  if (!voucher) return undefined;
  const payments = await db.query<RowBooking['payments'][number]>(sql`
    select 'invoice' as kind, p.invoice_id as "documentId", i.number::text, p.kind as settles, p.account,
      p.amount_ore as "amountOre", (select coalesce(sum(o.amount_ore), 0) < 0 from sales.payments o
        where o.invoice_id = i.id and o.kind <> 'loss' and o.voucher_id <> p.voucher_id) as "isPaidBack",
      p.amount_ore * sign(i.total_ore) < 0 as "isReturn"
    from sales.payments p join sales.invoices i on i.id = p.invoice_id
    where p.voucher_id = ${voucher.voucherId}::uuid
    union all
    select 'purchase', p.invoice_id, i.invoice_number, p.kind, p.account, p.amount_ore,
      (select coalesce(sum(o.amount_ore), 0) * sign(i.payable_ore) < 0 from purchases.payments o
        where o.invoice_id = i.id and o.voucher_id <> p.voucher_id),
      p.amount_ore * sign(i.payable_ore) < 0
    from purchases.payments p join purchases.invoices i on i.id = p.invoice_id
    where p.voucher_id = ${voucher.voucherId}::uuid order by 2`);
  return { ...voucher, payments };
}

export interface RowBookedWith {
  id: string;
  voucher_id: string;
  booked_on: string;
  description: string;
  amount_ore: Ore;
}

/** The rows that were booked in one act with a row, that row among them, the latest day first; the row alone where no act says more. */
export function listBookedWith(db: Db, rowId: string, limit: number): Promise<RowBookedWith[]> {
  return db.query(sql`
    select t.id, t.voucher_id, t.booked_on, t.description, t.amount_ore from bank.transactions t
    where t.voucher_id is not null and (t.id = ${rowId}::uuid
      or t.act_id = (select act_id from bank.transactions where id = ${rowId}::uuid))
    order by t.booked_on desc, t.id desc limit ${limit}::integer`);
}

export async function clearMatches(tx: Tx, rowIds: readonly string[]): Promise<void> {
  await tx.query(sql`update bank.transactions set voucher_id = null, matched_at = null,
      matched_by = null, undone_at = now()
    where id = any (${rowIds}::uuid[])`);
}

/** So that neither is taken for what books a row. */
export async function insertUndone(
  tx: Tx,
  { voucherId, takenBackBy }: { readonly voucherId: string; readonly takenBackBy: string },
  actor: string,
): Promise<void> {
  await tx.query(sql`insert into bank.undone_bookings (voucher_id, taken_back_by, created_by)
    values (${voucherId}, ${takenBackBy}, ${actor})`);
}
