/** What the overview shows beside the statistics: what is owed, what waits for somebody, what came last. */
import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import { endOfWeekFrom } from '../../domain/purchases/payables/payable.ts';
import { isStuck } from '../../purchases/inbox/inbox-store.ts';

export interface Debts {
  /** Öre of open invoices past their due date, and how many they are. */
  receivables_overdue: bigint;
  receivables_overdue_count: number;
  payables_overdue: bigint;
  payables_overdue_count: number;
  /** Öre due within a week, today included. */
  payables_soon: bigint;
}

/** From the partial indexes of open invoices. A credit that is open counts below zero. */
export async function getDebts(db: Db, today: string): Promise<Debts> {
  const [debts] = await db.query<Debts>(
    prepared(
      'overview debts',
      sql`select r.overdue as receivables_overdue, r.count as receivables_overdue_count,
            p.overdue as payables_overdue, p.count as payables_overdue_count, p.soon as payables_soon
          from (select coalesce(sum(i.open_ore), 0)::bigint as overdue, count(*)::integer as count
              from sales.invoices i where i.open_ore <> 0 and i.due_date < ${today}::date) as r,
            (select coalesce(sum(i.open_ore) filter (where i.due_date < ${today}::date), 0)::bigint as overdue,
              (count(*) filter (where i.due_date < ${today}::date))::integer as count,
              coalesce(sum(i.open_ore) filter (where i.due_date >= ${today}::date), 0)::bigint as soon
              from purchases.invoices i
              where i.open_ore <> 0 and i.due_date <= ${endOfWeekFrom(today)}::date) as p`,
    ),
  );
  if (!debts) throw new Error('the open invoices gave no answer');
  return debts;
}

export interface WaitingCounts {
  stopped_orders: number;
  stopped_till_reports: number;
  purchases: number;
  drafts: number;
  /** Invoices that recur, of which the latest could not be made, booked or mailed. */
  stopped_recurring: number;
  /** Accruals of which something has fallen due and could not be posted. */
  stopped_accruals: number;
  bank: number;
  /** Files that have come and belong to no voucher yet. */
  documents: number;
  /** What programs propose. */
  proposals: number;
  /** Keys that stop working within a month; seen by administrators only. */
  expiring_keys: number;
  /** Whether the reference rate is known today, and in a fortnight. */
  has_rate: boolean;
  has_next_rate: boolean;
  /** Faults that the last check of the books found. */
  faults: number;
}

const keyDays = 30;
const rateDays = 14;

/** Each is counted on an index of what waits, never over everything there is. */
export async function getWaiting(db: Db, today: string): Promise<WaitingCounts> {
  const [waiting] = await db.query<WaitingCounts>(
    prepared(
      'overview waiting',
      sql`select intake.count_stopped_orders('infinity')::integer as stopped_orders,
            (select count(*)::integer from intake.till_reports t
              where t.status in ('received', 'stopped') and t.status = 'stopped') as stopped_till_reports,
            (select count(*)::integer from purchases.invoices p
              where p.status in ('new', 'review'))
              + (select count(*)::integer from intake.e_invoices e where ${isStuck}) as purchases,
            (select count(*)::integer from sales.invoices i where i.status = 'draft') as drafts,
            (select count(*)::integer from sales.recurring_invoices r where r.problems is not null)
              as stopped_recurring,
            (select count(distinct p.accrual_id)::integer from ledger.accrual_postings p
              where p.problem is not null) as stopped_accruals,
            (select count(*)::integer from bank.transactions t
              join bank.accounts a on a.id = t.account_id and a.kind = 'bank'
              where t.voucher_id is null) as bank,
            (select count(*)::integer from ledger.documents d
              where d.filed_at is null and d.set_aside is null) as documents,
            (select count(*)::integer from proposals.proposals p
              where p.status = 'open' and p.expires_at > now()) as proposals,
            (select count(*)::integer from restricted.api_keys k where k.revoked_at is null
              and k.expires_at between now() and now() + make_interval(days => ${keyDays}::integer))
              as expiring_keys,
            exists (select from sales.reference_rates r
              where ${today}::date between r.valid_from and r.valid_to) as has_rate,
            exists (select from sales.reference_rates r
              where ${today}::date + ${rateDays}::integer between r.valid_from and r.valid_to) as has_next_rate,
            coalesce((select jsonb_array_length(v.problems) from audit.verifications v
              order by v.finished_at desc limit 1), 0) as faults`,
    ),
  );
  if (!waiting) throw new Error('what waits gave no answer');
  return waiting;
}

export interface Inboxes {
  documents: number;
  orders: number;
  purchases: number;
  bank: number;
  proposals: number;
}

/** More than so many are not counted. */
export const inboxCountMax = 100;

/** Documents, stopped orders, supplier invoices, bank rows and proposals that wait for somebody: asked for every page, so read from small indexes. */
export async function countInboxes(db: Db): Promise<Inboxes> {
  const [inboxes] = await db.query<Inboxes>(
    prepared(
      'inboxes',
      sql`select (select count(*)::integer from (select from ledger.documents d
              where d.filed_at is null and d.set_aside is null
              limit ${inboxCountMax}::integer) as waiting) as documents,
            (select count(*)::integer from (select from intake.orders o
              where o.invoice_id is null and not o.is_dismissed and exists (
                select from intake.order_attempts a where a.order_id = o.id and a.status = 'rejected')
              union all select from intake.changed_orders c where c.seen_at is null
              limit ${inboxCountMax}::integer) as stopped) as orders,
            (select count(*)::integer from (select from purchases.invoices p
                where p.status in ('new', 'review')
              union all select from intake.e_invoices e where ${isStuck}
              limit ${inboxCountMax}::integer) as waiting) as purchases,
            (select count(*)::integer from (select from bank.transactions t
              join bank.accounts a on a.id = t.account_id and a.kind = 'bank'
              where t.voucher_id is null limit ${inboxCountMax}::integer) as unmatched) as bank,
            (select count(*)::integer from (select from proposals.proposals p
              where p.status = 'open' and p.expires_at > now()
              limit ${inboxCountMax}::integer) as open) as proposals`,
    ),
  );
  if (!inboxes) throw new Error('the inboxes gave no answer');
  return inboxes;
}

export interface LatestVoucher {
  id: string;
  series: string;
  number: number;
  verification_date: string;
  description: string;
  total_ore: bigint;
}

/** Ids are given in the order of time (uuid v7), but within a moment in any: those of so many are sorted. */
const latestSorted = 200;

/** The last ones posted. */
export const listLatestVouchers = (db: Db, limit: number): Promise<LatestVoucher[]> =>
  db.query<LatestVoucher>(
    prepared(
      'latest vouchers',
      sql`select v.id, v.series, v.number, v.verification_date, v.description, v.total_ore
          from (select * from ledger.vouchers order by id desc limit ${latestSorted}::integer) as v
          order by v.posted_at desc, v.verification_date desc, v.series, v.number desc
          limit ${limit}::integer`,
    ),
  );

/** The fiscal year of a day, undefined outside every year. */
export async function findYearOf(
  db: Db,
  day: string,
): Promise<{ start_date: string; end_date: string } | undefined> {
  const [year] = await db.query<{ start_date: string; end_date: string }>(
    sql`select y.start_date, y.end_date from ledger.fiscal_years y
        where ${day}::date between y.start_date and y.end_date`,
  );
  return year;
}
