/** The company and its rules as people see them. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { SettingName } from '../../domain/basics/company-settings.ts';
import type { VatReporting } from '../../domain/ledger/vat-deadlines.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';

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
      case when c.order_oss_is_on then 'on' else 'off' end as "order-oss",
      array_to_string(c.order_payment_accounts, ', ') as "order-payment-accounts",
      array_to_string(c.till_accounts, ', ') as "till-accounts",
      c.vat_period as "vat-period",
      case when c.vat_large_taxpayer then 'on' else 'off' end as "vat-large-taxpayer",
      c.vat_yearly as "vat-yearly",
      case when c.vat_digital then 'on' else 'off' end as "vat-digital",
      case when c.e_invoice_booking_is_automatic then 'on' else 'off' end as "e-invoice-booking",
      case when c.bank_booking_is_automatic then 'on' else 'off' end as "bank-booking",
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
      coalesce(c.swish, '') as "company-swish",
      coalesce(c.tax_ocr, '') as "company-tax-ocr",
      coalesce(c.iban, '') as "company-iban",
      case when c.is_approved_for_f_tax then 'on' else 'off' end as "company-f-tax",
      c.interest_from as "interest-from",
      case when c.interest_is_stated then 'on' else 'off' end as "interest-stated",
      case when c.reminder_fee_is_agreed then 'on' else 'off' end as "reminder-fees",
      case when c.reminder_runs_are_on then 'on' else 'off' end as "reminder-runs",
      array_to_string(c.reminder_days, ', ') as "reminder-days",
      case when c.reminder_runs_claim_fee then 'on' else 'off' end as "reminder-run-fees",
      coalesce(c.reminder_bank_days::text, '') as "reminder-bank-days",
      coalesce(c.partner_account, '') as "company-partner-account",
      coalesce(to_char(c.months_from, 'YYYY-MM'), '') as "months-from",
      coalesce(c.moved_on::text, '') as "moved-on"
    from restricted.company c left join sales.customers k on k.id = c.collective_customer_id`);
  return row;
}

/** Active customers of exactly that name, two at most: enough to tell one from several. */
export function listCustomersNamed(db: Db, name: string): Promise<{ id: string }[]> {
  return db.query(sql`select id from sales.customers
    where lower(name) = lower(${name}) and is_active order by id limit 2`);
}

export interface CompanyRow {
  id: string;
  organization_number: string;
  name: string;
}

/** Nobody else sets the installation up until commit; undefined before anybody has. */
export async function lockCompany(tx: Tx): Promise<CompanyRow | undefined> {
  await tx.query(sql`lock table restricted.company in share row exclusive mode`);
  return findCompany(tx);
}

/** Whether it is the example company, which it is from its beginning or never. */
export async function isDemo(db: Db): Promise<boolean> {
  const [company] = await db.query<{ is_demo: boolean }>(
    sql`select is_demo from restricted.company`,
  );
  return company?.is_demo ?? false;
}

/** Undefined before the company is set up. */
export async function findCompany(db: Db): Promise<CompanyRow | undefined> {
  const [company] = await db.query<CompanyRow>(
    sql`select id, organization_number, name from restricted.company`,
  );
  return company;
}

export async function insertCompany(
  tx: Tx,
  company: {
    readonly id: string;
    readonly name: string;
    readonly organizationNumber: string;
    readonly vatNumber: string;
    readonly collectiveCustomerId: string;
    readonly isDemo: boolean;
    readonly vatYearly: VatReporting['yearly'];
  },
): Promise<void> {
  const { id, name, organizationNumber, vatNumber, collectiveCustomerId, isDemo, vatYearly } =
    company;
  await tx.query(sql`insert into restricted.company (id, name, organization_number, vat_number,
      collective_customer_id, is_demo, vat_yearly)
    values (${id}, ${name}, ${organizationNumber}, ${vatNumber}, ${collectiveCustomerId}, ${isDemo},
      ${vatYearly})`);
}

export type StoredSetting = string | number | boolean | readonly string[] | null;

const columns: Readonly<Record<SettingName, Sql>> = {
  'company-name': sql`name`,
  'order-supply': sql`order_supply`,
  'order-payment-terms': sql`order_payment_terms_days`,
  'order-booking': sql`order_booking_is_automatic`,
  'order-collective-customer': sql`collective_customer_id`,
  'order-payment-accounts': sql`order_payment_accounts`,
  'till-accounts': sql`till_accounts`,
  'order-oss': sql`order_oss_is_on`,
  'vat-period': sql`vat_period`,
  'vat-large-taxpayer': sql`vat_large_taxpayer`,
  'vat-yearly': sql`vat_yearly`,
  'vat-digital': sql`vat_digital`,
  'e-invoice-booking': sql`e_invoice_booking_is_automatic`,
  'bank-booking': sql`bank_booking_is_automatic`,
  'receiver-ids': sql`receiver_ids`,
  'purchase-account': sql`purchase_account`,
  'company-address': sql`address`,
  'company-postal-code': sql`postal_code`,
  'company-city': sql`city`,
  'company-seat': sql`seat`,
  'company-email': sql`email`,
  'company-phone': sql`phone`,
  'company-bankgiro': sql`bankgiro`,
  'company-plusgiro': sql`plusgiro`,
  'company-swish': sql`swish`,
  'company-tax-ocr': sql`tax_ocr`,
  'company-iban': sql`iban`,
  'company-f-tax': sql`is_approved_for_f_tax`,
  'interest-from': sql`interest_from`,
  'interest-stated': sql`interest_is_stated`,
  'reminder-fees': sql`reminder_fee_is_agreed`,
  'reminder-runs': sql`reminder_runs_are_on`,
  'reminder-days': sql`reminder_days`,
  'reminder-run-fees': sql`reminder_runs_claim_fee`,
  'reminder-bank-days': sql`reminder_bank_days`,
  'company-partner-account': sql`partner_account`,
  'months-from': sql`months_from`,
  'moved-on': sql`moved_on`,
};

/** False before the company is set up; throws 422 when there is no such collective customer. */
export async function updateSetting(
  tx: Tx,
  name: SettingName,
  value: StoredSetting,
): Promise<boolean> {
  const [company] = await tx
    .query(sql`update restricted.company set ${columns[name]} = ${value} returning id`)
    .catch((error) => {
      const constraint = databaseErrorOf(error)?.constraint;
      if (constraint === 'company_keeps_move_day') {
        throw refuse('unprocessable', [{ path: name, reason: 'move_day_has_items' }]);
      }
      if (constraint !== 'company_collective_customer_fkey') throw error;
      const params = { id: String(value) };
      throw refuseWhole('unprocessable', 'no_collective_customer', params, { cause: error });
    });
  return company !== undefined;
}
