/** What customers owe and what suppliers are owed at the end of a day: what is open now, with what came later undone. */
import type { Db } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface OwedItem {
  id: string;
  party_id: string;
  party: string;
  number: string;
  date: string;
  due_date: string | null;
  total_ore: bigint;
  open_ore: bigint;
}

/**
 * The vouchers after the day, which are few where anybody asks for a day of late. Between two days: of `>` a plan made
 * for any day (force_generic_plan) thinks that it brings a third of the books, and reads every invoice and payment.
 */
const later = (day: string): Sql => sql`later as materialized (
    select v.id from ledger.vouchers v where v.verification_date between ${day}::date + 1 and 'infinity'
  )`;

/** As sales.open_on tells it of all of them: whatever happens to an invoice has its voucher, whose day is the day of it. */
const receivables = (day: string): Sql => sql`
  with ${later(day)}, changes as (
    select i.id as invoice_id, i.open_ore as ore from sales.invoices i where i.open_ore <> 0
    union all
    select case i.kind when 'invoice' then i.id else i.credited_invoice_id end,
      case i.kind when 'invoice' then -i.total_ore else i.total_ore end
    from later join sales.invoices i on i.voucher_id = later.id
    union all
    select r.invoice_id, -r.fee_ore from later join sales.reminders r on r.voucher_id = later.id
    union all
    select w.invoice_id, r.fee_ore from later join sales.withdrawn_fees w on w.voucher_id = later.id
    join sales.reminders r on r.invoice_id = w.invoice_id and r.reminder_no = w.reminder_no
    union all
    select p.invoice_id, p.amount_ore from later join sales.payments p on p.voucher_id = later.id
  ), owed as (
    select c.invoice_id, sum(c.ore)::bigint as ore from changes c group by c.invoice_id having sum(c.ore) <> 0
  )
  select i.id, i.customer_id as party_id, k.name as party, i.number::text as number, i.invoice_date as date,
    i.due_date, i.total_ore, owed.ore as open_ore
  from owed join sales.invoices i on i.id = owed.invoice_id join sales.customers k on k.id = i.customer_id`;

/** As purchases.open_on. What is in another currency is told in the kronor it was booked on. */
const payables = (day: string): Sql => sql`
  with ${later(day)}, changes as (
    select i.id as invoice_id, i.open_ore as ore from purchases.invoices i where i.open_ore <> 0
    union all
    select i.id, -purchases.owed_ore(i) from later join purchases.invoices i on i.voucher_id = later.id
    union all
    select p.invoice_id, p.amount_ore from later join purchases.payments p on p.voucher_id = later.id
  ), owed as (
    select c.invoice_id, sum(c.ore)::bigint as ore from changes c group by c.invoice_id having sum(c.ore) <> 0
  )
  select i.id, i.supplier_id as party_id, s.name as party, i.invoice_number as number, i.issue_date as date,
    i.due_date, case i.currency when 'SEK' then i.payable_ore else purchases.owed_ore(i) end as total_ore, owed.ore as open_ore
  from owed join purchases.invoices i on i.id = owed.invoice_id
  join purchases.suppliers s on s.id = i.supplier_id
  where i.debt_account = 2440`;

const statements = { receivables, payables } as const;
export type OpenItemsOf = keyof typeof statements;

export interface ItemPlace {
  readonly party: string;
  readonly partyId: string;
  readonly id: string;
}

/** At most `limit` + 1 items after `place`, by party, then as they came. */
export function listOpenItems(
  db: Db,
  of: OpenItemsOf,
  day: string,
  { place, limit }: { readonly place: ItemPlace | undefined; readonly limit: number },
): Promise<OwedItem[]> {
  // Ids are given in the order of time, so an item's place among its party's is its id.
  const after = place
    ? sql`where (o.party, o.party_id, o.id) > (${place.party}, ${place.partyId}::uuid, ${place.id}::uuid)`
    : sql``;
  return db.query(sql`select o.* from (${statements[of](day)}) as o ${after}
    order by o.party, o.party_id, o.id limit ${limit + 1}`);
}

/** Counted no further than one more than `max`. */
export async function countOwedItems(
  db: Db,
  of: OpenItemsOf,
  day: string,
  max: number,
): Promise<number> {
  const [found] = await db.query<{ items: number }>(
    sql`select count(*)::integer as items from (
      select from (${statements[of](day)}) as o limit ${max + 1}) as o`,
  );
  return found?.items ?? 0;
}

export interface OwedSum {
  due_date: string | null;
  open_ore: bigint;
}

/** All of it, by the day it falls due. */
export const sumOwedItems = (db: Db, of: OpenItemsOf, day: string): Promise<OwedSum[]> =>
  db.query(sql`select o.due_date, sum(o.open_ore)::bigint as open_ore
    from (${statements[of](day)}) as o group by o.due_date order by o.due_date`);

/** Debit less credit of an account at the end of the day. */
export async function balanceAt(db: Db, account: number, day: string): Promise<bigint> {
  const [found] = await db.query<{ ore: bigint }>(
    sql`select ledger.balance_at(${account}, ${day}::date) as ore`,
  );
  return found?.ore ?? 0n;
}

/** The day whose balance brought open invoices from another program: before it that program alone knows. */
export async function findMoveDay(db: Db): Promise<string | null> {
  const [company] = await db.query<{ moved_on: string | null }>(
    sql`select c.moved_on from restricted.company c`,
  );
  return company?.moved_on ?? null;
}
