/** Which invoices, ours and a supplier's, are between the same two parties. */
import type { Tx } from '../db/pool.ts';
import { type Sql, sql } from '../db/sql.ts';

/**
 * Whether a debtor (`i.debtor`) and a supplier (`s`) are the same: by organization number, else VAT
 * number, else name.
 */
const sameParty: Sql = sql`case
  when i.debtor ->> 'orgNumber' is not null and s.organization_number is not null
    then i.debtor ->> 'orgNumber' = s.organization_number
  when i.debtor ->> 'vatNumber' is not null and s.vat_number is not null
    then i.debtor ->> 'vatNumber' = s.vat_number
  else lower(i.debtor ->> 'name') = lower(s.name) end`;

export async function isSameParty(tx: Tx, invoiceId: string, purchaseId: string): Promise<boolean> {
  const [found] = await tx.query(sql`select from sales.invoices i
    join purchases.invoices p on p.id = ${purchaseId}::uuid
    join purchases.suppliers s on s.id = p.supplier_id
    where i.id = ${invoiceId}::uuid and ${sameParty}`);
  return found !== undefined;
}

export interface Counterclaim {
  id: string;
  supplier: string;
  invoice_number: string;
  due_date: string | null;
  open_ore: bigint;
  /** So much of it is set off against this invoice already. */
  set_off_ore: bigint;
}

const setOffBetween = sql`(select coalesce(sum(m.amount_ore), 0)::bigint from sales.payments m
  join purchases.payments t on t.voucher_id = m.voucher_id and t.invoice_id = p.id
  where m.invoice_id = i.id and m.kind = 'set_off')`;

/** Oldest due first: those that we owe on, and those set off already. */
export function listCounterclaims(tx: Tx, invoiceId: string): Promise<Counterclaim[]> {
  return tx.query(sql`select p.id, s.name as supplier, p.invoice_number, p.due_date, p.open_ore,
      ${setOffBetween} as set_off_ore
    from sales.invoices i
    join purchases.suppliers s on ${sameParty}
    join purchases.invoices p on p.supplier_id = s.id and p.status = 'booked'
    where i.id = ${invoiceId}::uuid and (p.open_ore > 0 or ${setOffBetween} <> 0)
    order by p.due_date, p.id limit 100`);
}

/** What is set off between the two, in öre. */
export async function sumSetOff(tx: Tx, invoiceId: string, purchaseId: string): Promise<bigint> {
  const [sum] = await tx.query<{ ore: bigint }>(sql`select ${setOffBetween} as ore
    from sales.invoices i cross join purchases.invoices p
    where i.id = ${invoiceId}::uuid and p.id = ${purchaseId}::uuid`);
  return sum?.ore ?? 0n;
}
