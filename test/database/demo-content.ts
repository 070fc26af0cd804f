/** What a person would find in the example company's books: everything but ids, secrets and times. */
import { db, type Pool } from '#src/db/pool.ts';
import { type Sql, sql } from '#src/db/sql.ts';

const parts: Record<string, Sql> = {
  vouchers: sql`select v.series, v.number, v.verification_date, v.description, v.counterparty, v.source,
      (select jsonb_agg(jsonb_build_array(r.account, r.debit_ore, r.credit_ore, r.note, c.code, p.code)
          order by r.row_no)
        from ledger.voucher_rows r left join ledger.dimensions c on c.id = r.cost_center_id
        left join ledger.dimensions p on p.id = r.project_id where r.voucher_id = v.id) as rows
    from ledger.vouchers v order by v.verification_date, v.series, v.number`,
  invoices: sql`select i.number, i.status, i.kind, i.source, k.name as customer, i.invoice_date, i.due_date,
      i.total_ore, i.open_ore, i.ocr, i.debtor, i.notes, i.booking_refusal ->> 'error' as refusal,
      d.reason as dispute,
      (select jsonb_agg(jsonb_build_array(r.description, r.quantity_e4, r.unit_price_e4, r.vat_rate,
          r.account, r.net_ore, r.vat_ore) order by r.row_no)
        from sales.invoice_rows r where r.invoice_id = i.id) as rows
    from sales.invoices i join sales.customers k on k.id = i.customer_id
    left join sales.disputes d on d.invoice_id = i.id
    order by i.number, i.invoice_date, i.total_ore, k.name`,
  settlements: sql`select i.number, p.payment_date as date, p.amount_ore, p.reference, v.number as voucher
    from sales.payments p join sales.invoices i on i.id = p.invoice_id
    join ledger.vouchers v on v.id = p.voucher_id order by p.payment_date, v.number`,
  reminders: sql`select i.number, r.reminder_no, r.sent_date, r.fee_ore
    from sales.reminders r join sales.invoices i on i.id = r.invoice_id order by 1, 2`,
  orders: sql`select o.external_id, a.status, a.reason, a.detail, convert_from(a.raw, 'UTF8') as raw,
      i.total_ore, i.number from intake.order_attempts a join intake.orders o on o.id = a.order_id
    left join sales.invoices i on i.id = o.invoice_id order by o.external_id, raw`,
  documents: sql`select encode(e.sha256, 'hex') as sha256, e.status, e.reason
    from intake.e_invoices e order by 1`,
  purchases: sql`select i.invoice_number, i.status, i.kind, s.name as supplier, i.issue_date, i.due_date,
      i.payable_ore, i.open_ore, i.warnings, i.rejection, v.number as voucher,
      (select jsonb_agg(jsonb_build_array(p.paid_on, p.amount_ore) order by p.paid_on)
        from purchases.payments p where p.invoice_id = i.id) as payments
    from purchases.invoices i left join purchases.suppliers s on s.id = i.supplier_id
    left join ledger.vouchers v on v.id = i.voucher_id order by i.issue_date, i.invoice_number`,
  bank: sql`select t.reference, t.bank_reference, t.booked_on, t.amount_ore, t.description, v.series, v.number
    from bank.transactions t left join ledger.vouchers v on v.id = t.voucher_id order by 1`,
  statements: sql`select closing_date, balance_ore from bank.statements order by 1`,
  attachments: sql`select v.series, v.number, v.verification_date, a.file_name, a.media_type,
      encode(a.sha256, 'hex') as sha256
    from ledger.attachments a join ledger.vouchers v on v.id = a.voucher_id
    order by v.verification_date, 1, 2, 4`,
  registers: sql`select name, email, organization_number, vat_number, city, is_active, agreed_rate_e2
    from sales.customers order by 1`,
  suppliers: sql`select name, organization_number, account from purchases.suppliers order by 1`,
  people: sql`select email, role from restricted.users order by 1`,
  keys: sql`select name, scopes, revoked_at is null as is_alive from restricted.api_keys order by 1`,
  months: sql`select month from ledger.month_ends order by 1`,
  locks: sql`select period_locked_to, vat_locked_to from ledger.locks`,
  events: sql`select action, count(*) from audit.events group by 1 order by 1`,
};

export async function demoContent(pool: Pool): Promise<Record<string, object[]>> {
  const content: Record<string, object[]> = {};
  for (const [part, statement] of Object.entries(parts)) {
    content[part] = await db(pool).query(statement);
  }
  return content;
}
