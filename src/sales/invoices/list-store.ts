/** The list of customer invoices, a page at a time by keys, so that the last page costs what the first does. */
import type { Db } from '../../db/pool.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { InvoiceKind } from '../../domain/sales/invoice.ts';

export const invoiceTabs = [
  'alla',
  'utkast',
  'obetalda',
  'forfallna',
  'betalda',
  'krediterade',
] as const;
export type InvoiceTab = (typeof invoiceTabs)[number];

/** The last row of a page: what comes after it is the next one. */
export interface InvoicePlace {
  readonly day: string;
  readonly id: string;
}

export interface ListedInvoice {
  id: string;
  kind: InvoiceKind;
  status: string;
  number: number | null;
  debtor_name: string | null;
  invoice_date: string;
  due_date: string;
  total_ore: bigint;
  open_ore: bigint;
  /** By booked credit notes. */
  credited_ore: bigint;
  /** What stands as a confirmed loss. */
  lost_ore: bigint;
  is_stopped: boolean;
  is_disputed: boolean;
}

export interface InvoiceListing {
  readonly tab: InvoiceTab;
  /** Only these, as a search found them; null for all. */
  readonly among: readonly string[] | null;
  readonly today: string;
  readonly after: InvoicePlace | undefined;
  readonly limit: number;
}

/** A search that finds as many as this has found more than anybody reads. */
export const searchHitsMax = 2_000;

/** What is unpaid is listed by due date, oldest first; everything else by invoice date, newest first. */
const isByDueDate = (tab: InvoiceTab): boolean => tab === 'obetalda' || tab === 'forfallna';

export const placeOf = (tab: InvoiceTab, invoice: ListedInvoice): InvoicePlace => ({
  day: isByDueDate(tab) ? invoice.due_date : invoice.invoice_date,
  id: invoice.id,
});

export async function listInvoices(db: Db, listing: InvoiceListing): Promise<ListedInvoice[]> {
  const { tab, among, after, today, limit } = listing;
  const conditions: Sql[] = [tabCondition(tab, today)];
  if (among !== null) conditions.push(sql`i.id = any (${among}::uuid[])`);
  if (after) {
    conditions.push(
      isByDueDate(tab)
        ? sql`(i.due_date, i.id) > (${after.day}::date, ${after.id}::uuid)`
        : sql`(i.invoice_date, i.id) < (${after.day}::date, ${after.id}::uuid)`,
    );
  }
  const order = isByDueDate(tab) ? sql`i.due_date, i.id` : sql`i.invoice_date desc, i.id desc`;
  return db.query(sql`select i.id, i.kind, i.status, i.number, i.debtor ->> 'name' as debtor_name,
      i.invoice_date, i.due_date, i.total_ore, i.open_ore, i.booking_refusal is not null as is_stopped,
      (select coalesce(sum(c.total_ore), 0)::bigint from sales.invoices c
        where c.credited_invoice_id = i.id and c.status <> 'draft') as credited_ore,
      (select coalesce(sum(p.amount_ore), 0)::bigint from sales.payments p
        where p.invoice_id = i.id and p.kind = 'loss') as lost_ore,
      exists (select from sales.disputes d where d.invoice_id = i.id) as is_disputed
    from sales.invoices i where ${join(conditions, sql` and `)}
    order by ${order} limit ${limit}`);
}

/** By number, OCR, organization number or name, in no order; at most `searchHitsMax`. */
export async function findInvoices(db: Db, text: string): Promise<string[]> {
  const compact = text.replace(/[\s-]/g, '');
  const asked = /^\d+$/.test(compact) ? compact : text.trim();
  const rows = await db.query<{ id: string }>(
    sql`select id from sales.find_invoices(${asked}, ${searchHitsMax}) as f (id)`,
  );
  return rows.map(({ id }) => id);
}

function tabCondition(tab: InvoiceTab, today: string): Sql {
  switch (tab) {
    case 'alla':
      return sql`true`;
    case 'utkast':
      return sql`i.status = 'draft'`;
    case 'obetalda':
      return sql`i.open_ore <> 0 and i.open_ore > 0`;
    case 'forfallna':
      return sql`i.open_ore <> 0 and i.open_ore > 0 and i.due_date < ${today}::date`;
    case 'betalda':
      return sql`i.status = 'paid'`;
    case 'krediterade':
      return sql`(i.status = 'credited' or i.kind = 'credit_note')`;
    default:
      return tab satisfies never;
  }
}

export interface Receivables {
  /** What all customers owe; the balance of account 1510 as far as it is invoices. */
  readonly openOre: bigint;
  readonly overdueOre: bigint;
}

export async function getReceivables(db: Db, today: string): Promise<Receivables> {
  const [row] = await db.query<{ open: bigint; overdue: bigint }>(sql`select
      coalesce((select r.open_ore from sales.receivables r), 0)::bigint as open,
      (select coalesce(sum(i.open_ore), 0)::bigint from sales.invoices i
        where i.open_ore <> 0 and i.due_date < ${today}::date and i.open_ore > 0) as overdue`);
  return { openOre: row?.open ?? 0n, overdueOre: row?.overdue ?? 0n };
}
