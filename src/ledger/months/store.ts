/** What a month end asks of a month, and what stands in the way of each condition. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';

/** A month by its first and last day, where the company is. */
export interface MonthSpan {
  readonly first: string;
  readonly last: string;
  readonly timeZone: string;
}

/** More than so many of a kind are told as a number. */
export const culpritsMax = 5;

/** Names of the conditions that fail. */
export async function listFailing(db: Db, { first, timeZone }: MonthSpan): Promise<string[]> {
  const [row] = await db.query<{ names: string[] }>(
    sql`select ledger.failing_conditions(${first}::date, ${timeZone}) as names`,
  );
  return row?.names ?? [];
}

/** The first month that is asked for: the one said, else that of the first voucher. */
export async function findFirstMonth(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ month: string | null }>(sql`select ledger.first_month() as month`);
  return row?.month ?? undefined;
}

export interface Acknowledged {
  month: string;
  acknowledged_at: Date;
  acknowledged_by: string;
}

export async function findAcknowledged(db: Db, month: string): Promise<Acknowledged | undefined> {
  const [row] = await db.query<Acknowledged>(
    sql`select month, acknowledged_at, acknowledged_by from ledger.month_ends
        where month = ${month}::date`,
  );
  return row;
}

/** Something that waits, with the page where it is dealt with. */
export interface Culprit {
  id: string;
  label: string;
  date: string;
}

/** How many there are beyond the ones told is the last number. */
export interface Culprits {
  readonly shown: readonly Culprit[];
  readonly isMore: boolean;
}

const cut = (found: readonly Culprit[]): Culprits => ({
  shown: found.slice(0, culpritsMax),
  isMore: found.length > culpritsMax,
});
const limit = culpritsMax + 1;

export const listUnmatched = async (db: Db, { last }: MonthSpan): Promise<Culprits> =>
  cut(
    await db.query<Culprit>(
      sql`select t.id, t.description as label, t.booked_on as date from bank.transactions t
          join bank.accounts a on a.id = t.account_id and a.kind = 'bank'
          where t.voucher_id is null and t.booked_on <= ${last}::date
          order by t.booked_on, t.id limit ${limit}`,
    ),
  );

export const listWaitingPurchases = async (db: Db, { last }: MonthSpan): Promise<Culprits> =>
  cut(
    await db.query<Culprit>(
      sql`select p.id, coalesce(p.seller ->> 'name', '') || ' ' || p.invoice_number as label,
            p.issue_date as date
          from purchases.invoices p
          where p.status in ('new', 'review') and p.issue_date <= ${last}::date
          order by p.issue_date, p.id limit ${limit}`,
    ),
  );

export const listStoppedOrders = async (db: Db, { last, timeZone }: MonthSpan): Promise<Culprits> =>
  cut(
    await db.query<Culprit>(
      sql`select o.id, coalesce(o.external_id, '') as label,
            (o.created_at at time zone ${timeZone})::date as date
          from intake.orders o
          where o.invoice_id is null and not o.is_dismissed
            and o.created_at < (${last}::date + 1)::timestamp at time zone ${timeZone}
            and exists (select from intake.order_attempts a
              where a.order_id = o.id and a.status = 'rejected')
          order by o.id limit ${limit}`,
    ),
  );

export const listInvoiceDrafts = async (db: Db, { last }: MonthSpan): Promise<Culprits> =>
  cut(
    await db.query<Culprit>(
      sql`select i.id, coalesce(i.debtor ->> 'name', '') as label, i.invoice_date as date
          from sales.invoices i
          where i.status = 'draft' and i.invoice_date <= ${last}::date
          order by i.invoice_date, i.id limit ${limit}`,
    ),
  );

/** An account that ought to agree with its own ledger of invoices. */
export interface LedgerDifference {
  /** Σ of what was open on invoices as the month ended, and the account's balance then, the same way round. */
  open_ore: Ore;
  balance_ore: Ore;
}

export async function compareLedger(
  db: Db,
  ledger: 'receivables' | 'payables',
  { last }: MonthSpan,
): Promise<LedgerDifference> {
  const [row] = await db.query<LedgerDifference>(
    ledger === 'receivables'
      ? sql`select coalesce(sales.open_on(${last}::date), 0) as open_ore,
          ledger.balance_at(1510, ${last}::date) as balance_ore`
      : sql`select coalesce(purchases.open_on(${last}::date), 0) as open_ore,
          -ledger.balance_at(2440, ${last}::date) as balance_ore`,
  );
  return row ?? { open_ore: 0n, balance_ore: 0n };
}

/**
 * Conditions that hold because there is nothing to compare with: no balance of the bank's is known by the
 * month's last day, no invoice of the kind is booked here, or the month was before the company moved in
 * (`ledger.failing_conditions`).
 */
export async function listUncompared(db: Db, { last }: MonthSpan): Promise<ReadonlySet<string>> {
  const found = await db.query<{ name: string }>(sql`
    select 'bank' as name where not exists (
      select from bank.statements s join bank.accounts a on a.id = s.account_id
      where a.kind = 'bank' and a.is_active and s.closing_date <= ${last}::date)
    union all
    select 'kundreskontra' where not exists (select from sales.invoices where status <> 'draft')
      or sales.open_on(${last}::date) is null
    union all
    select 'leverantorsreskontra'
    where not exists (select from purchases.invoices where status = 'booked' and debt_account = 2440)
      or purchases.open_on(${last}::date) is null`);
  return new Set(found.map(({ name }) => name));
}

/** Vouchers on the account by the month's end that no invoice or payment made, the latest first: where to look. */
export const listStrangers = async (
  db: Db,
  { last }: MonthSpan,
  account: 1510 | 2440,
  known: readonly string[],
): Promise<Culprits> =>
  cut(
    await db.query<Culprit>(
      sql`select distinct v.id, v.series || v.number || ' ' || v.description as label,
            v.verification_date as date
          from (select r.voucher_id from ledger.voucher_rows r where r.account = ${account}
              and r.verification_date <= ${last}::date
            order by r.verification_date desc, r.series desc, r.number desc limit 20000) as r
          join ledger.vouchers v on v.id = r.voucher_id
          where v.source <> all (${known}::text[])
          order by v.verification_date desc, v.id limit ${limit}`,
    ),
  );

export interface SuspenseBalance {
  account: number;
  name: string;
  ore: Ore;
}

export const listSuspense = (db: Db, { first }: MonthSpan): Promise<SuspenseBalance[]> =>
  db.query<SuspenseBalance>(
    sql`select b.account, a.name, sum(b.debit_ore - b.credit_ore)::bigint as ore
        from ledger.month_balances b join ledger.accounts a on a.number = b.account
        where b.account in (1999, 2999) and b.month <= ${first}::date
        group by b.account, a.name having sum(b.debit_ore - b.credit_ore) <> 0 order by b.account`,
  );

/** Of accruals and depreciation, what belongs to the month or before and is not posted; by the plan's id. */
export const listUnposted = async (db: Db, { last }: MonthSpan): Promise<Culprits> =>
  cut(
    await db.query<Culprit>(
      sql`select a.id, a.description as label, min(p.posting_date) as date
          from ledger.accrual_postings p join ledger.accruals a on a.id = p.accrual_id
          where p.voucher_id is null and p.posting_date <= ${last}::date
          group by a.id, a.description order by min(p.posting_date), a.id limit ${limit}`,
    ),
  );

export interface CashShortfall {
  account: number;
  day: string;
  balance_ore: Ore;
}

/** Cash accounts that were below zero as a day of the month ended, each on the day it was lowest. */
export const listCashShortfalls = (db: Db, { first, last }: MonthSpan): Promise<CashShortfall[]> =>
  db.query<CashShortfall>(
    sql`select account, day, balance_ore
        from ledger.cash_shortfalls(${first}::date, ${last}::date) order by account`,
  );

/** Tills' reports of the month or before that have stopped; one without a readable day is of the day it came. */
export const listStoppedTillReports = async (
  db: Db,
  { last, timeZone }: MonthSpan,
): Promise<Culprits> =>
  cut(
    await db.query<Culprit>(
      sql`select s.id, s.label, s.date
          from (select t.id, coalesce(btrim(t.till) || ', Z ' || t.z_number, '') as label,
              coalesce(t.day, (t.received_at at time zone ${timeZone})::date) as date
            from intake.till_reports t where t.status in ('received', 'stopped') and t.status = 'stopped') as s
          where s.date <= ${last}::date order by s.id limit ${limit}`,
    ),
  );

export interface StatementFault {
  account_id: string;
  name: string;
  closing_date: string;
  balance_ore: Ore;
  ledger_ore: Ore;
}

/** Bank accounts whose latest statement is of an older month, or says another balance than the books. */
export const listStatementFaults = (
  db: Db,
  { first, last }: MonthSpan,
): Promise<StatementFault[]> =>
  db.query<StatementFault>(
    sql`select a.id as account_id, a.name, s.closing_date, s.balance_ore, b.ore as ledger_ore
        from bank.accounts a
        cross join lateral (
          select s.closing_date, s.balance_ore from bank.statements s
          where s.account_id = a.id and s.closing_date <= ${last}::date
          order by s.closing_date desc limit 1) as s
        cross join lateral (
          select ledger.balance_at(a.ledger_account, s.closing_date) as ore) as b
        where a.kind = 'bank' and a.is_active and (s.closing_date < ${first}::date or s.balance_ore <> b.ore)
        order by a.ledger_account`,
  );

/** What the last check of all books found. */
export async function listBookFaults(db: Db): Promise<string[]> {
  const [row] = await db.query<{ messages: string[] }>(
    sql`select array(select concat_ws(' ', concat(p.problem ->> 'series', p.problem ->> 'number'),
          p.problem ->> 'message') from jsonb_array_elements(v.problems) as p (problem)
          limit ${culpritsMax}) as messages
        from audit.verifications v order by v.finished_at desc limit 1`,
  );
  return row?.messages ?? [];
}

/** The day it is, and where. */
export interface Day {
  readonly today: string;
  readonly timeZone: string;
}

/** Months are told by their first day. */
export interface MonthEnds {
  last_closed_month: string | null;
  /** The earliest month that has ended and is not acknowledged. */
  open_month: string | null;
  open_month_failing: string[];
  months_behind: number;
}

export async function getMonthEnds(db: Db, { today, timeZone }: Day): Promise<MonthEnds> {
  const [ends] = await db.query<MonthEnds>(
    sql`select last_closed_month, open_month, open_month_failing, months_behind
        from ledger.month_ends_on(${today}::date, ${timeZone})`,
  );
  if (!ends) throw new Error('the month ends gave no answer');
  return ends;
}

/** Until commit nobody else acknowledges a month, or takes one back. */
export async function lockMonthEnds(tx: Tx): Promise<void> {
  await tx.query(sql`lock table ledger.month_ends in share row exclusive mode`);
}

export async function insertMonthEnd(tx: Tx, month: string, actor: string): Promise<void> {
  await tx.query(
    sql`insert into ledger.month_ends (month, acknowledged_by) values (${month}::date, ${actor})`,
  );
}

export async function deleteMonthEnd(tx: Tx, month: string): Promise<void> {
  await tx.query(sql`delete from ledger.month_ends where month = ${month}::date`);
}
