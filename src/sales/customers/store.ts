/** The customer register. */
import { refusingTakenName } from '../../db/external-ids.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { anywhere, join, type Sql, sql } from '../../db/sql.ts';
import { plainExternalId } from '../../domain/basics/identifiers.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';

export interface NewCustomer {
  readonly name: string;
  readonly email?: string | null;
  /** Ten digits. */
  readonly organizationNumber?: string | null;
  /** Upper case without spaces, with country prefix. */
  readonly vatNumber?: string | null;
  readonly countryCode?: string;
  readonly paymentTermsDays?: number | null;
  readonly address?: string | null;
  readonly postalCode?: string | null;
  readonly city?: string | null;
  readonly phone?: string | null;
  /** Hundredths of a percentage point; null means the statutory default interest. */
  readonly agreedRateE2?: number | null;
  /** As another system calls it, in its one spelling (`plainExternalId`). */
  readonly externalId?: string | null;
}

/** Throws `unprocessable` when another customer is called as this one from outside. */
export async function insertCustomer(
  tx: Tx,
  customer: NewCustomer,
  id = uuid(),
): Promise<{ id: string; name: string }> {
  await refusingTakenName(() =>
    tx.query(sql`insert into sales.customers (id, name, email, organization_number, vat_number,
      country_code, payment_terms_days, address, postal_code, city, phone, agreed_rate_e2, external_id)
    values (${id}, ${customer.name}, ${customer.email ?? null}, ${customer.organizationNumber ?? null},
      ${customer.vatNumber ?? null}, ${customer.countryCode ?? 'SE'},
      ${customer.paymentTermsDays ?? null}, ${customer.address ?? null},
      ${customer.postalCode ?? null}, ${customer.city ?? null}, ${customer.phone ?? null},
      ${customer.agreedRateE2 ?? null}, ${customer.externalId ?? null})`),
  );
  return { id, name: customer.name };
}

/** Orders no longer find it and nothing more is invoiced to it; what was stays as it was. */
export async function deactivateCustomer(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`update sales.customers set is_active = false where id = ${id}::uuid`);
}

export interface Customer {
  id: string;
  name: string;
  email: string | null;
  organization_number: string | null;
  vat_number: string | null;
  country_code: string;
  payment_terms_days: number | null;
  address: string | null;
  postal_code: string | null;
  city: string | null;
  phone: string | null;
  agreed_rate_e2: number | null;
  external_id: string | null;
  is_active: boolean;
  /** Orders from unknown buyers are billed on it. */
  is_collective: boolean;
}

/** Throws 404 when there is none. */
export async function getCustomer(db: Db, id: string): Promise<Customer> {
  const [customer] = await db.query<Customer>(
    sql`select c.id, c.name, c.email, c.organization_number, c.vat_number, c.country_code,
          c.payment_terms_days, c.address, c.postal_code, c.city, c.phone, c.agreed_rate_e2,
          c.external_id, c.is_active,
          exists (select from restricted.company where collective_customer_id = c.id) as is_collective
        from sales.customers c where c.id = ${id}::uuid`,
  );
  if (!customer) throw refuseWhole('not_found', 'no_customer');
  return customer;
}

export async function updateCustomer(
  tx: Tx,
  id: string,
  customer: Required<NewCustomer> & { readonly isActive: boolean },
): Promise<void> {
  await refusingTakenName(() =>
    tx.query(sql`update sales.customers set name = ${customer.name}, email = ${customer.email},
      organization_number = ${customer.organizationNumber}, vat_number = ${customer.vatNumber},
      country_code = ${customer.countryCode}, payment_terms_days = ${customer.paymentTermsDays},
      address = ${customer.address}, postal_code = ${customer.postalCode}, city = ${customer.city},
      phone = ${customer.phone}, agreed_rate_e2 = ${customer.agreedRateE2},
      external_id = ${customer.externalId}, is_active = ${customer.isActive}
    where id = ${id}::uuid`),
  );
}

/** Throws as `insertCustomer` does. */
export async function setCustomerExternalId(
  tx: Tx,
  id: string,
  externalId: string | null,
): Promise<void> {
  await refusingTakenName(() =>
    tx.query(sql`update sales.customers set external_id = ${externalId} where id = ${id}::uuid`),
  );
}

/** Throws `unprocessable` when something points at the customer. */
export async function deleteCustomer(tx: Tx, id: string): Promise<void> {
  const inUse = () => refuse('unprocessable', [{ path: '', reason: 'customer_in_use' }]);
  // Before the foreign keys of tables without an index are asked.
  if (await isCustomerUsed(tx, id)) throw inUse();
  try {
    await tx.query(sql`delete from sales.customers where id = ${id}::uuid`);
  } catch (error) {
    throw databaseErrorOf(error)?.code === '23503' ? inUse() : error;
  }
}

/** Whether it has invoices or is the collective customer; then it is kept. */
export async function isCustomerUsed(db: Db, id: string): Promise<boolean> {
  const [used] = await db.query<{ is_used: boolean }>(
    sql`select exists (select from sales.invoices where customer_id = ${id}::uuid)
          or exists (select from restricted.company where collective_customer_id = ${id}::uuid)
          as is_used`,
  );
  return used?.is_used ?? false;
}

/** Another customer that has the number already. */
export async function findCustomerWith(
  db: Db,
  number: { readonly organizationNumber?: string | null; readonly vatNumber?: string | null },
  exceptId: string | null,
): Promise<{ id: string; name: string } | undefined> {
  const { organizationNumber = null, vatNumber = null } = number;
  const [customer] = await db.query<{ id: string; name: string }>(
    sql`select id, name from sales.customers
        where (organization_number = ${organizationNumber} or vat_number = ${vatNumber})
          and id is distinct from ${exceptId}::uuid
        order by is_active desc, id limit 1`,
  );
  return customer;
}

export interface ListedCustomer {
  id: string;
  name: string;
  organization_number: string | null;
  email: string | null;
  payment_terms_days: number | null;
  external_id: string | null;
  is_active: boolean;
  open_ore: bigint;
  /** Where the list stands, for the next page. */
  place: string;
}

export interface RegisterFilter {
  /** Part of the name or the e-mail address, or the beginning of a number. */
  readonly search: string;
  /** Null shows both. */
  readonly isActive: boolean | null;
}

/** The last row of the page before: its name as it is sorted, and its id. */
export interface RegisterPlace {
  readonly name: string;
  readonly id: string;
}

/** At most `limit` + 1 customers by name after `place`. */
export function listCustomers(
  db: Db,
  { search, isActive }: RegisterFilter,
  place: RegisterPlace | undefined,
  limit: number,
): Promise<ListedCustomer[]> {
  const conditions: Sql[] = [sql`true`];
  if (isActive !== null) conditions.push(sql`c.is_active = ${isActive}`);
  if (search !== '') conditions.push(matching(search));
  if (place) conditions.push(sql`(c.sort_name, c.id) > (${place.name}, ${place.id}::uuid)`);
  return db.query(
    sql`select c.id, c.name, c.organization_number, c.email, c.payment_terms_days, c.external_id,
          c.is_active, c.sort_name as place,
          (select coalesce(sum(i.open_ore), 0)::bigint from sales.invoices i
            where i.customer_id = c.id and i.open_ore <> 0) as open_ore
        from (select * from sales.customers c where ${join(conditions, sql` and `)}
          order by c.sort_name, c.id limit ${limit + 1}) as c
        order by c.sort_name, c.id`,
  );
}

function matching(search: string): Sql {
  const part = anywhere(search);
  const digits = search.replace(/[\s-]/g, '').toUpperCase();
  return sql`(lower(c.name) like ${part} or lower(c.email) like ${part}
    or starts_with(c.organization_number, ${digits}) or starts_with(c.vat_number, ${digits})
    or c.external_id = ${plainExternalId(search)})`;
}

export interface CustomerInvoice {
  id: string;
  kind: 'invoice' | 'credit_note';
  status: 'draft' | 'booked' | 'paid' | 'credited';
  number: number | null;
  invoice_date: string;
  due_date: string;
  total_ore: bigint;
  open_ore: bigint;
}

/** At most `limit` + 1 of a customer's invoices, the latest first, after the place of a page before. */
export function listCustomerInvoices(
  db: Db,
  customerId: string,
  place: { readonly date: string; readonly id: string } | undefined,
  limit: number,
): Promise<CustomerInvoice[]> {
  const after = place
    ? sql`and (i.invoice_date, i.id) < (${place.date}::date, ${place.id}::uuid)`
    : sql``;
  return db.query(
    sql`select i.id, i.kind, i.status, i.number, i.invoice_date, i.due_date, i.total_ore, i.open_ore
        from sales.invoices i where i.customer_id = ${customerId}::uuid ${after}
        order by i.invoice_date desc, i.id desc limit ${limit + 1}`,
  );
}

/** What the customer owes in all, and of that what was due before `today`; öre. */
export async function sumCustomerOpen(
  db: Db,
  customerId: string,
  today: string,
): Promise<{ open_ore: bigint; overdue_ore: bigint }> {
  const [sums] = await db.query<{ open_ore: bigint; overdue_ore: bigint }>(
    sql`select coalesce(sum(open_ore), 0)::bigint as open_ore,
          coalesce(sum(open_ore) filter (where due_date < ${today}::date), 0)::bigint as overdue_ore
        from sales.invoices where customer_id = ${customerId}::uuid and open_ore <> 0`,
  );
  return sums ?? { open_ore: 0n, overdue_ore: 0n };
}
