/** Who drafts are to, and what their buyers speak against, as it stands when they are booked. */
import type { Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { Debtor } from '../../domain/sales/debtor.ts';

export interface OrderDebtor {
  readonly id: string;
  readonly debtor: Debtor;
  readonly filled: readonly (keyof Debtor)[];
  /** Null on the collective customer, who is nobody. */
  readonly register: Debtor | null;
}

/** The debtors of those of the drafts that orders made, with what the register says today. */
export function listOrderDebtors(tx: Tx, draftIds: readonly string[]): Promise<OrderDebtor[]> {
  return tx.query<OrderDebtor>(
    prepared(
      'order debtors',
      sql`select i.id, i.debtor, i.debtor_filled as filled,
            case when i.customer_id is distinct from company.collective_customer_id
              then sales.debtor_of(c) end as register
          from sales.invoices i join sales.customers c on c.id = i.customer_id
          cross join restricted.company
          where i.id = any (${draftIds}::uuid[]) and i.status = 'draft' and i.source = 'order'`,
    ),
  );
}

export async function updateDebtor(
  tx: Tx,
  { id, debtor, filled }: Omit<OrderDebtor, 'register'>,
): Promise<void> {
  await tx.query(sql`update sales.invoices set debtor = ${JSON.stringify(debtor)}::jsonb,
      debtor_filled = ${filled}::text[] where id = ${id}::uuid and status = 'draft'`);
}

export interface DraftVatDoubt {
  readonly invoice_id: string;
  readonly is_confirmed: boolean;
  /** As `sales.draft_problems` tells it, without a sentence. */
  readonly problem: { readonly path: string; readonly reason: string };
}

/**
 * Rows without VAT that the buyer's facts speak against (`sales.vat_doubt`): the order's debtor, or else
 * the customer as the register says today, which is who booking freezes. A credit note takes back
 * what was invoiced, whatever it was.
 */
export function listVatDoubts(tx: Tx, draftIds: readonly string[]): Promise<DraftVatDoubt[]> {
  return tx.query<DraftVatDoubt>(
    prepared(
      'vat doubts',
      sql`select i.id as invoice_id, i.vat_confirmed_by is not null as is_confirmed,
            jsonb_build_object('path', format('rows[%s].account', r.row_no - 1), 'reason', d.doubt,
              'account', r.account, 'vat_box', a.vat_box, 'buyer_country', b.country,
              'buyer_vat_number', b.vat_number) as problem
          from sales.invoices i
          join sales.customers c on c.id = i.customer_id
          join sales.invoice_rows r on r.invoice_id = i.id
          join ledger.accounts a on a.number = r.account
          cross join lateral (select
            case i.source when 'order' then coalesce(i.debtor ->> 'countryCode', 'SE')
              else c.country_code end as country,
            case i.source when 'order' then i.debtor ->> 'vatNumber'
              else c.vat_number end as vat_number) as b
          cross join lateral (select
            sales.vat_doubt(a.vat_box, r.vat_rate, b.country, b.vat_number) as doubt) as d
          where i.id = any (${draftIds}::uuid[]) and i.status = 'draft' and i.kind = 'invoice'
            and d.doubt is not null
          order by i.id, r.row_no`,
    ),
  );
}

export interface StoredRefusal {
  readonly error: 'unprocessable';
  readonly detail: { readonly problems: readonly { readonly path: string }[] };
}

export async function noteRefusal(tx: Tx, id: string, refusal: StoredRefusal): Promise<void> {
  await tx.query(sql`update sales.invoices set booking_refusal = ${JSON.stringify(refusal)}::jsonb
    where id = ${id}::uuid and status = 'draft'`);
}
