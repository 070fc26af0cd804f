/** The supplier register as people look after it; matching and booking lie in src/purchases/inbox. */
import { refusingTakenName } from '../../db/external-ids.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { anywhere, join, type Sql, sql } from '../../db/sql.ts';
import { plainExternalId } from '../../domain/basics/identifiers.ts';
import type { AccountType } from '../../domain/ledger/account.ts';
import type { SupplyMark } from '../../domain/purchases/reverse-charge.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';

export const payeeKinds = ['bankgiro', 'plusgiro', 'iban', 'other'] as const;
export type PayeeKind = (typeof payeeKinds)[number];

export interface SupplierFacts {
  readonly name: string;
  readonly organizationNumber: string | null;
  readonly vatNumber: string | null;
  /** Electronic address, as scheme:number. */
  readonly endpoint: string | null;
  readonly countryCode: string;
  /** What its invoices are usually booked on; null follows its history. */
  readonly account: number | null;
  /** What it sells; null when nobody has said. */
  readonly supply: SupplyMark['supply'];
  /** Per cent, on purchases whose VAT we owe. */
  readonly reverseChargeRate: SupplyMark['rate'];
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  /** From the invoice's date to its due date; null when nobody has said. */
  readonly paymentDays: number | null;
  /** As another system calls it, in its one spelling (`plainExternalId`). */
  readonly externalId: string | null;
}

export interface RegisteredSupplier {
  id: string;
  name: string;
  organization_number: string | null;
  vat_number: string | null;
  endpoint: string | null;
  country_code: string;
  account: number | null;
  supply: SupplyMark['supply'];
  reverse_charge_rate: SupplyMark['rate'];
  email: string | null;
  phone: string | null;
  address: string | null;
  postal_code: string | null;
  city: string | null;
  payment_days: number | null;
  external_id: string | null;
  is_active: boolean;
}

/** Throws 422 when another supplier has one of its signs. */
export async function insertSupplier(
  tx: Tx,
  id: string,
  facts: SupplierFacts,
  actor: string,
): Promise<void> {
  try {
    await refusingTakenName(() =>
      tx.query(sql`insert into purchases.suppliers (id, name, organization_number, vat_number,
        endpoint, country_code, account, supply, reverse_charge_rate, email, phone, address,
        postal_code, city, payment_days, external_id, created_by)
      values (${id}, ${facts.name}, ${facts.organizationNumber}, ${facts.vatNumber},
        ${facts.endpoint}, ${facts.countryCode}, ${facts.account}, ${facts.supply},
        ${facts.reverseChargeRate}, ${facts.email}, ${facts.phone}, ${facts.address},
        ${facts.postalCode}, ${facts.city},
        ${facts.paymentDays}, ${facts.externalId}, ${actor})`),
    );
  } catch (error) {
    const path = uniqueSigns[databaseErrorOf(error)?.constraint ?? ''];
    if (path === undefined) throw error;
    throw refuse('unprocessable', [
      { path, reason: 'supplier_sign_taken', params: { sign: path } },
    ]);
  }
}

/** What tells one supplier from another. */
type SupplierSign = 'organizationNumber' | 'vatNumber' | 'endpoint';

/** Constraints, with the field. */
const uniqueSigns: Readonly<Record<string, SupplierSign>> = {
  suppliers_organization_number_key: 'organizationNumber',
  suppliers_vat_number_key: 'vatNumber',
  suppliers_endpoint_key: 'endpoint',
};

/** Accounts that somebody has vouched for; those it has already stay as they are. */
export async function addSupplierAccounts(
  tx: Tx,
  supplierId: string,
  accounts: readonly { readonly kind: PayeeKind; readonly number: string }[],
  actor: string,
): Promise<void> {
  if (accounts.length === 0) return;
  await tx.query(sql`insert into purchases.supplier_accounts (supplier_id, kind, number, created_by)
    select ${supplierId}::uuid, kind, number, ${actor}
    from unnest(${accounts.map(({ kind }) => kind)}::text[],
      ${accounts.map(({ number }) => number)}::text[]) as a (kind, number)
    on conflict do nothing`);
}

export async function isEndpointTaken(db: Db, endpoint: string): Promise<boolean> {
  const [taken] = await db.query(sql`select from purchases.suppliers where endpoint = ${endpoint}`);
  return taken !== undefined;
}

/** Undefined of none. */
export async function findSupplierState(
  db: Db,
  id: string,
): Promise<{ name: string; is_active: boolean } | undefined> {
  const [supplier] = await db.query<{ name: string; is_active: boolean }>(
    sql`select name, is_active from purchases.suppliers where id = ${id}::uuid`,
  );
  return supplier;
}

/** False when there is no such supplier. */
export async function updateSupplyMark(
  tx: Tx,
  id: string,
  { supply, rate }: SupplyMark,
): Promise<boolean> {
  const [marked] = await tx.query(sql`update purchases.suppliers
    set supply = ${supply}, reverse_charge_rate = ${rate} where id = ${id}::uuid returning id`);
  return marked !== undefined;
}

export interface SupplierWithMark {
  id: string;
  name: string;
  organization_number: string | null;
  vat_number: string | null;
  accounts: { kind: string; number: string }[];
  supply: SupplyMark['supply'];
  reverse_charge_rate: SupplyMark['rate'];
  external_id: string | null;
  is_active: boolean;
}

export function listSuppliers(db: Db): Promise<SupplierWithMark[]> {
  return db.query(sql`select s.id, s.name, s.organization_number, s.vat_number, s.supply,
      s.reverse_charge_rate, s.external_id, s.is_active,
      (select coalesce(json_agg(json_build_object('kind', a.kind, 'number', a.number)), '[]')
        from purchases.supplier_accounts a where a.supplier_id = s.id) as accounts
    from purchases.suppliers s order by s.name, s.id`);
}

/** Throws 404 when there is none. */
export async function getSupplier(db: Db, id: string): Promise<RegisteredSupplier> {
  const [supplier] = await db.query<RegisteredSupplier>(
    sql`select id, name, organization_number, vat_number, endpoint, country_code, account,
          supply, reverse_charge_rate, email, phone, address, postal_code, city, payment_days,
          external_id, is_active
        from purchases.suppliers where id = ${id}::uuid`,
  );
  if (!supplier) throw refuseWhole('not_found', 'no_supplier', { id });
  return supplier;
}

export interface SupplierAccount {
  kind: PayeeKind;
  number: string;
  created_at: Date;
  created_by: string;
}

export function listSupplierAccounts(db: Db, supplierId: string): Promise<SupplierAccount[]> {
  return db.query(
    sql`select kind, number, created_at, created_by from purchases.supplier_accounts
        where supplier_id = ${supplierId}::uuid order by kind, number`,
  );
}

export async function insertSupplierAccount(
  tx: Tx,
  supplierId: string,
  { kind, number }: { readonly kind: PayeeKind; readonly number: string },
  actor: string,
): Promise<void> {
  try {
    await tx.query(sql`insert into purchases.supplier_accounts (supplier_id, kind, number, created_by)
      values (${supplierId}::uuid, ${kind}, ${number}, ${actor})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'supplier_accounts_pkey') throw error;
    throw refuse('unprocessable', [{ path: 'number', reason: 'supplier_account_taken' }]);
  }
}

/** False when it was not there. */
export async function deleteSupplierAccount(
  tx: Tx,
  supplierId: string,
  { kind, number }: { readonly kind: PayeeKind; readonly number: string },
): Promise<boolean> {
  const [gone] = await tx.query(sql`delete from purchases.supplier_accounts
    where supplier_id = ${supplierId}::uuid and kind = ${kind} and number = ${number}
    returning kind`);
  return gone !== undefined;
}

export async function updateSupplier(
  tx: Tx,
  id: string,
  facts: SupplierFacts & { readonly isActive: boolean },
): Promise<void> {
  await refusingTakenName(() =>
    tx.query(sql`update purchases.suppliers set name = ${facts.name},
      organization_number = ${facts.organizationNumber}, vat_number = ${facts.vatNumber},
      endpoint = ${facts.endpoint}, country_code = ${facts.countryCode}, account = ${facts.account},
      supply = ${facts.supply}, reverse_charge_rate = ${facts.reverseChargeRate},
      email = ${facts.email}, phone = ${facts.phone}, address = ${facts.address},
      postal_code = ${facts.postalCode}, city = ${facts.city},
      payment_days = ${facts.paymentDays}, external_id = ${facts.externalId},
      is_active = ${facts.isActive}
    where id = ${id}::uuid`),
  );
}

/** Throws `unprocessable` when another supplier is called so. */
export async function setSupplierExternalId(
  tx: Tx,
  id: string,
  externalId: string | null,
): Promise<void> {
  await refusingTakenName(() =>
    tx.query(
      sql`update purchases.suppliers set external_id = ${externalId} where id = ${id}::uuid`,
    ),
  );
}

/** Throws `unprocessable` when it has invoices. */
export async function deleteSupplier(tx: Tx, id: string): Promise<void> {
  try {
    await tx.query(sql`delete from purchases.supplier_accounts where supplier_id = ${id}::uuid`);
    await tx.query(sql`delete from purchases.suppliers where id = ${id}::uuid`);
  } catch (error) {
    if (databaseErrorOf(error)?.code !== '23503') throw error;
    throw refuse('unprocessable', [{ path: '', reason: 'supplier_in_use' }]);
  }
}

export async function isSupplierUsed(db: Db, id: string): Promise<boolean> {
  const [used] = await db.query<{ is_used: boolean }>(
    sql`select exists (select from purchases.invoices where supplier_id = ${id}::uuid) as is_used`,
  );
  return used?.is_used ?? false;
}

/** Which of a supplier's signs another one has already, by the name of the form's field. */
export async function findTakenSigns(
  db: Db,
  { organizationNumber, vatNumber, endpoint }: SupplierFacts,
  exceptId: string | null,
): Promise<{ path: SupplierSign; name: string }[]> {
  return db.query(
    sql`select path, name from (
          select 'organizationNumber' as path, name, id from purchases.suppliers
            where organization_number = ${organizationNumber}
          union all select 'vatNumber', name, id from purchases.suppliers
            where vat_number = ${vatNumber}
          union all select 'endpoint', name, id from purchases.suppliers
            where endpoint = ${endpoint}) as taken
        where id is distinct from ${exceptId}::uuid order by path`,
  );
}

/** Of an account in use; undefined of one that is not. */
export async function findAccountType(db: Db, account: number): Promise<AccountType | undefined> {
  const [found] = await db.query<{ type: AccountType }>(
    sql`select type from ledger.accounts where number = ${account} and is_active`,
  );
  return found?.type;
}

export interface ListedSupplier {
  id: string;
  name: string;
  organization_number: string | null;
  email: string | null;
  account: number | null;
  is_active: boolean;
  open_ore: bigint;
  /** As in `bankgiro 50501055`. */
  accounts: string[];
  place: string;
}

/** At most `limit` + 1 suppliers by name after `place`. */
export function listSuppliersPage(
  db: Db,
  { search, isActive }: { readonly search: string; readonly isActive: boolean | null },
  place: { readonly name: string; readonly id: string } | undefined,
  limit: number,
): Promise<ListedSupplier[]> {
  const conditions: Sql[] = [sql`true`];
  if (isActive !== null) conditions.push(sql`s.is_active = ${isActive}`);
  if (search !== '') conditions.push(matching(search));
  if (place) conditions.push(sql`(s.sort_name, s.id) > (${place.name}, ${place.id}::uuid)`);
  return db.query(
    sql`select s.id, s.name, s.organization_number, s.email, s.account, s.is_active,
          s.sort_name as place,
          (select coalesce(sum(i.open_ore), 0)::bigint from purchases.invoices i
            where i.supplier_id = s.id and i.open_ore <> 0) as open_ore,
          array(select a.kind || ' ' || a.number from purchases.supplier_accounts a
            where a.supplier_id = s.id order by a.kind, a.number limit 3) as accounts
        from (select * from purchases.suppliers s where ${join(conditions, sql` and `)}
          order by s.sort_name, s.id limit ${limit + 1}) as s
        order by s.sort_name, s.id`,
  );
}

function matching(search: string): Sql {
  const part = anywhere(search);
  const digits = search.replace(/[\s-]/g, '').toUpperCase();
  return sql`(lower(s.name) like ${part} or lower(s.email) like ${part}
    or starts_with(s.organization_number, ${digits}) or starts_with(s.vat_number, ${digits})
    or exists (select from purchases.supplier_accounts a
      where a.supplier_id = s.id and a.number = ${digits})
    or s.external_id = ${plainExternalId(search)})`;
}

export interface SupplierInvoice {
  id: string;
  kind: 'invoice' | 'credit_note';
  status: 'new' | 'review' | 'booked' | 'rejected';
  invoice_number: string;
  issue_date: string;
  due_date: string | null;
  currency: string;
  payable_ore: bigint;
  open_ore: bigint;
}

/** At most `limit` + 1 of a supplier's invoices, the latest first, after the place of a page before. */
export function listSupplierInvoices(
  db: Db,
  supplierId: string,
  place: { readonly date: string; readonly id: string } | undefined,
  limit: number,
): Promise<SupplierInvoice[]> {
  const after = place
    ? sql`and (i.issue_date, i.id) < (${place.date}::date, ${place.id}::uuid)`
    : sql``;
  return db.query(
    sql`select i.id, i.kind, i.status, i.invoice_number, i.issue_date, i.due_date, i.currency,
          i.payable_ore, i.open_ore
        from purchases.invoices i where i.supplier_id = ${supplierId}::uuid ${after}
        order by i.issue_date desc, i.id desc limit ${limit + 1}`,
  );
}

/** What we owe the supplier in all; öre. */
export async function sumSupplierOpen(db: Db, supplierId: string): Promise<bigint> {
  const [sums] = await db.query<{ open_ore: bigint }>(
    sql`select coalesce(sum(open_ore), 0)::bigint as open_ore from purchases.invoices
        where supplier_id = ${supplierId}::uuid and open_ore <> 0`,
  );
  return sums?.open_ore ?? 0n;
}
