/** The company and its rules as people see them. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { SettingName } from '../../domain/basics/company-settings.ts';

/** Every setting's value in the form it is changed with; empty when it has none. */
export type SettingValues = Readonly<Record<SettingName, string>>;

export interface CompanyFacts {
  organization_number: string;
  vat_number: string;
  /** Of the customer that orders from unknown buyers are billed on. */
  collective_customer_name: string | null;
}

/** Undefined before the company is set up. */
export async function findSettings(db: Db): Promise<(CompanyFacts & SettingValues) | undefined> {
  const [row] = await db.query<CompanyFacts & SettingValues>(sql`
    select c.organization_number, c.vat_number, k.name as collective_customer_name,
      c.name as "company-name", c.order_supply as "order-supply",
      c.order_payment_terms_days::text as "order-payment-terms",
      case when c.order_booking_is_automatic then 'on' else 'off' end as "order-booking",
      coalesce(c.collective_customer_id::text, '') as "order-collective-customer",
      c.vat_period as "vat-period",
      case when c.vat_large_taxpayer then 'on' else 'off' end as "vat-large-taxpayer",
      c.vat_yearly as "vat-yearly",
      case when c.vat_digital then 'on' else 'off' end as "vat-digital",
      case when c.e_invoice_booking_is_automatic then 'on' else 'off' end as "e-invoice-booking",
      array_to_string(c.receiver_ids, ',') as "receiver-ids",
      c.purchase_account::text as "purchase-account",
      coalesce(c.address, '') as "company-address",
      coalesce(c.postal_code, '') as "company-postal-code",
      coalesce(c.city, '') as "company-city",
      coalesce(c.seat, '') as "company-seat",
      coalesce(c.email, '') as "company-email",
      coalesce(c.phone, '') as "company-phone",
      coalesce(c.bankgiro, '') as "company-bankgiro",
      coalesce(c.plusgiro, '') as "company-plusgiro",
      coalesce(c.iban, '') as "company-iban",
      case when c.is_approved_for_f_tax then 'on' else 'off' end as "company-f-tax",
      c.interest_from as "interest-from",
      case when c.interest_is_stated then 'on' else 'off' end as "interest-stated",
      case when c.reminder_fee_is_agreed then 'on' else 'off' end as "reminder-fees",
      coalesce(c.partner_account, '') as "company-partner-account",
      coalesce(to_char(c.months_from, 'YYYY-MM'), '') as "months-from"
    from restricted.company c left join sales.customers k on k.id = c.collective_customer_id`);
  return row;
}

/** Active customers of exactly that name, two at most: enough to tell one from several. */
export function listCustomersNamed(db: Db, name: string): Promise<{ id: string }[]> {
  return db.query(sql`select id from sales.customers
    where lower(name) = lower(${name}) and is_active order by id limit 2`);
}
