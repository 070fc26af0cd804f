/** Drafts that people write: what the registers know, and changing or deleting a draft. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { VatRate } from '../../domain/ledger/vat.ts';
import type { InvoiceRow, InvoiceTotals } from '../../domain/sales/invoice.ts';
import { toldFaults } from '../../ledger/vouchers/refusals.ts';
import type { Fault } from '../../lib/errors.ts';
import { insertRows } from './row-store.ts';

export interface SuggestedCustomer {
  id: string;
  name: string;
  organization_number: string | null;
  city: string | null;
  payment_terms_days: number | null;
}

const suggestionsMax = 20;

const customerColumns = sql`k.id, k.name, k.organization_number, k.city, k.payment_terms_days`;

/** Active customers whose name holds the text, or with that organization number; best first. */
export function suggestCustomers(db: Db, text: string): Promise<SuggestedCustomer[]> {
  const name = text.trim().toLowerCase();
  const number = text.replace(/\D/g, '');
  return db.query(sql`select ${customerColumns} from sales.customers k
    where k.is_active and (strpos(lower(k.name), ${name}) > 0
      or (${number} <> '' and k.organization_number = ${number}))
    order by lower(k.name) = ${name} desc, strpos(lower(k.name), ${name}), lower(k.name), k.id
    limit ${suggestionsMax}`);
}

export async function findCustomer(
  db: Db,
  id: string,
): Promise<(SuggestedCustomer & { is_active: boolean }) | undefined> {
  const [customer] = await db.query<SuggestedCustomer & { is_active: boolean }>(
    sql`select ${customerColumns}, k.is_active from sales.customers k where k.id = ${id}::uuid`,
  );
  return customer;
}

/** Whom an invoice to the customer is sent to, as the register says today. */
export async function debtorOf(db: Db, customerId: string): Promise<object> {
  const [row] = await db.query<{ debtor: object }>(
    sql`select sales.debtor_of(k) as debtor from sales.customers k where k.id = ${customerId}::uuid`,
  );
  return row?.debtor ?? {};
}

export interface SuggestedArticle {
  number: string;
  description: string;
  account: number | null;
  unit: string | null;
  /** Without VAT; null when the article has no price. */
  unit_price_e4: bigint | null;
}

/** Active articles whose number begins with the text, or whose description holds it. */
export function suggestArticles(db: Db, text: string): Promise<SuggestedArticle[]> {
  const asked = text.trim().toLowerCase();
  return db.query(sql`select a.number, a.description, a.account, a.unit, a.unit_price_e4
    from sales.articles a
    where a.is_active and (strpos(lower(a.number), ${asked}) = 1
      or strpos(lower(a.description), ${asked}) > 0)
    order by strpos(lower(a.number), ${asked}) = 1 desc, a.number limit ${suggestionsMax}`);
}

export function listArticles(db: Db, numbers: readonly string[]): Promise<SuggestedArticle[]> {
  return db.query(sql`select a.number, a.description, a.account, a.unit, a.unit_price_e4
    from sales.articles a
    where a.is_active and a.number = any (${numbers}::text[])`);
}

/** What rows may stand on: revenue, and gift cards (`sales.is_sold_on`). */
export interface SalesAccount {
  number: number;
  name: string;
  /** What its rows show: null on an account outside VAT, 0 on one of the margin scheme. */
  vat_rate: VatRate | null;
}

export function listSalesAccounts(db: Db): Promise<SalesAccount[]> {
  return db.query(sql`select a.number, a.name,
      case a.vat_box when '07' then 0 else a.vat_rate end as vat_rate
    from ledger.accounts a where a.is_active and sales.is_sold_on(a.number, a.type) order by a.number`);
}

/** What hinders a draft in the registers; nothing when nothing does. */
export async function listDraftProblems(
  db: Db,
  customerId: string,
  rows: readonly Pick<InvoiceRow, 'account' | 'vatRate'>[],
): Promise<Fault[]> {
  const [found] = await db.query<{ problems: unknown[] }>(
    sql`select problems from sales.draft_problems(
      ${[customerId]}::uuid[],
      ${rows.map(() => 1)}::integer[],
      ${rows.map((_, index) => index + 1)}::integer[],
      ${rows.map(({ account }) => account)}::integer[],
      ${rows.map(({ vatRate }) => vatRate)}::integer[])`,
  );
  return toldFaults({ ...found });
}

export interface LockedDraft {
  status: string;
  source: 'order' | 'api' | 'app';
  version: string;
  /** Of a credit note: the invoice that it takes back of. */
  credited: { readonly number: number; readonly date: string } | null;
}

/** Holds the invoice until commit, whatever it is by now; undefined when it is gone. */
export async function lockDraft(tx: Tx, id: string): Promise<LockedDraft | undefined> {
  const [draft] =
    await tx.query<LockedDraft>(sql`select i.status, i.source, i.xmin::text as version,
      (select json_build_object('number', c.number, 'date', c.invoice_date) from sales.invoices c
        where c.id = i.credited_invoice_id) as credited
    from sales.invoices i where i.id = ${id}::uuid for update`);
  return draft;
}

export interface DraftHead {
  readonly invoiceDate: string;
  readonly deliveryDate: string | null;
  readonly dueDate: string;
  readonly paymentTermsDays: number;
  readonly yourReference: string | null;
  readonly notes: string | null;
}

/**
 * What was in the way of booking it is forgotten: that was another draft. A credit note has neither terms nor delivery,
 * and takes effect from its own date when it did so.
 */
export async function updateDraftHead(tx: Tx, id: string, head: DraftHead): Promise<void> {
  await tx.query(sql`update sales.invoices set invoice_date = ${head.invoiceDate},
      delivery_date = case kind when 'invoice' then ${head.deliveryDate}::date end,
      due_date = case kind when 'invoice' then ${head.dueDate}::date else ${head.invoiceDate}::date end,
      payment_terms_days = case kind when 'invoice' then ${head.paymentTermsDays}::integer else 0 end,
      effective_date = case when effective_date = invoice_date then ${head.invoiceDate}::date
        else effective_date end,
      your_reference = ${head.yourReference}, notes = ${head.notes}, booking_refusal = null
    where id = ${id}::uuid`);
}

export interface BuyerAddress {
  readonly address: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
}

/** Where an order's buyer is, as a person has written it; an address that stood there already stays the register's. */
export async function updateBuyerAddress(tx: Tx, id: string, buyer: BuyerAddress): Promise<void> {
  await tx.query(sql`update sales.invoices set debtor = debtor || ${JSON.stringify(buyer)}::jsonb,
      debtor_filled = array(select name from unnest(debtor_filled) as name
        where name not in ('address', 'postalCode', 'city'))
    where id = ${id}::uuid and status = 'draft' and source = 'order'
      and (debtor ->> 'address', debtor ->> 'postalCode', debtor ->> 'city')
        is distinct from (${buyer.address}::text, ${buyer.postalCode}::text, ${buyer.city}::text)`);
}

export async function updateDraft(
  tx: Tx,
  id: string,
  draft: DraftHead & {
    readonly customerId: string;
    readonly debtor: object;
    readonly debtorFilled: readonly string[];
    readonly vatConfirmedBy: string | null;
    readonly rows: readonly InvoiceRow[];
    readonly totals: InvoiceTotals;
  },
): Promise<void> {
  const { rows, totals } = draft;
  await updateDraftHead(tx, id, draft);
  await tx.query(sql`update sales.invoices set customer_id = ${draft.customerId},
      debtor = ${JSON.stringify(draft.debtor)}::jsonb, debtor_filled = ${draft.debtorFilled}::text[],
      vat_confirmed_by = ${draft.vatConfirmedBy}, net_ore = ${totals.netOre},
      vat_ore = ${totals.vatOre}, rounding_ore = ${totals.roundingOre}, total_ore = ${totals.totalOre}
    where id = ${id}::uuid`);
  await tx.query(sql`delete from sales.invoice_rows where invoice_id = ${id}::uuid`);
  await tx.query(insertRows([{ id, rows }]));
}

/**
 * An order that it was written for by hand is as it was before, and waits for somebody again; so does a refund whose
 * credit note it was to be.
 */
export async function deleteDraft(tx: Tx, id: string): Promise<void> {
  const freed = await tx.query<{ id: string; kind: string }>(
    sql`update intake.orders set invoice_id = null, customer_id = null
      where invoice_id = ${id}::uuid returning id, kind`,
  );
  const refunds = freed.flatMap((one) => (one.kind === 'refund' ? one.id : []));
  if (refunds.length > 0) {
    await tx.query(sql`update intake.order_attempts
      set status = 'rejected', reason = 'refund_draft_removed', detail = null, decided_at = now()
      where order_id = any (${refunds}::uuid[]) and status = 'draft'`);
  }
  await tx.query(sql`delete from sales.invoices where id = ${id}::uuid and status = 'draft'`);
}
