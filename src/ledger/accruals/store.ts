/** Plans of accruals and depreciation, and the dated postings of each. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { AccrualPlan, PlannedPosting } from '../../domain/ledger/accrual.ts';
import { type Fault, jsonOf } from '../../lib/errors.ts';

export interface AccrualFacts extends AccrualPlan {
  readonly description: string;
  /** Code of the series that it is posted in, whatever the year. */
  readonly series: string;
  readonly resultAccount: number;
  readonly balanceAccount: number;
  /** Of the result's row. */
  readonly costCenter: string | null;
  readonly project: string | null;
  /** What was booked first, such as the supplier's invoice. */
  readonly originVoucherId: string | null;
}

export interface Accrual extends AccrualFacts {
  readonly id: string;
  readonly cancelledAt: Date | null;
  readonly cancelledBy: string | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

const columns = sql`a.id, a.kind, a.description, a.series, a.result_account as "resultAccount",
  a.balance_account as "balanceAccount", a.amount_ore as "amountOre", a.first_month as "firstMonth", a.months,
  a.moved_on as "movedOn", a.shares_on as "sharesOn", a.cost_center_id as "costCenter", a.project_id as project,
  a.origin_voucher_id as "originVoucherId", a.cancelled_at as "cancelledAt", a.cancelled_by as "cancelledBy",
  a.created_at as "createdAt", a.created_by as "createdBy"`;

export interface ListedAccrual extends Accrual {
  /** When the next is posted; null when nothing remains. */
  readonly nextOn: string | null;
  /** Of its postings, how many there are and how many are posted. */
  readonly postings: number;
  readonly posted: number;
  readonly isStopped: boolean;
}

const listed = sql`select ${columns}, p."nextOn", p.postings, p.posted, p."isStopped"
  from ledger.accruals a
  cross join lateral (select min(p.posting_date) filter (where p.voucher_id is null) as "nextOn",
      count(*)::integer as postings, count(p.voucher_id)::integer as posted,
      coalesce(bool_or(p.problem is not null), false) as "isStopped"
    from ledger.accrual_postings p where p.accrual_id = a.id) as p`;

/** After which plan the next page begins. */
export interface AccrualPlace {
  /** Null: among those that nothing remains of. */
  readonly nextOn: string | null;
  readonly id: string;
}

/** Those whose next posting comes first first; those that nothing remains of last, the latest made first. */
export function listAccruals(
  db: Db,
  { limit, after = null }: { readonly limit: number; readonly after?: AccrualPlace | null },
): Promise<ListedAccrual[]> {
  return db.query(sql`select * from (${listed}) as a
    where ${after === null} or (coalesce(a."nextOn", 'infinity'), a.id)
      > (coalesce(${after?.nextOn ?? null}::date, 'infinity'), ${after?.id ?? null}::uuid)
    order by coalesce(a."nextOn", 'infinity'), a.id limit ${limit}`);
}

/** Those that began with the voucher, the oldest first. */
export function listAccrualsOf(db: Db, voucherId: string): Promise<ListedAccrual[]> {
  return db.query(sql`${listed} where a.origin_voucher_id = ${voucherId}::uuid order by a.id`);
}

export async function findAccrual(db: Db, id: string): Promise<Accrual | undefined> {
  const [found] = await db.query<Accrual>(
    sql`select ${columns} from ledger.accruals a where a.id = ${id}::uuid`,
  );
  return found;
}

/** Until commit nobody else posts of it, or cancels it. Undefined when there is none. */
export async function lockAccrual(tx: Tx, id: string): Promise<Accrual | undefined> {
  const [found] = await tx.query<Accrual>(
    sql`select ${columns} from ledger.accruals a where a.id = ${id}::uuid for update`,
  );
  return found;
}

export async function insertAccrual(
  tx: Tx,
  one: AccrualFacts & { readonly id: string },
  actor: string,
): Promise<void> {
  await tx.query(sql`insert into ledger.accruals (id, kind, description, series, result_account, balance_account,
      amount_ore, first_month, months, moved_on, shares_on, cost_center_id, project_id, origin_voucher_id, created_by)
    values (${one.id}, ${one.kind}, ${one.description}, ${one.series}, ${one.resultAccount}, ${one.balanceAccount},
      ${one.amountOre}, ${one.firstMonth}, ${one.months}, ${one.movedOn}, ${one.sharesOn}, ${one.costCenter},
      ${one.project}, ${one.originVoucherId}, ${actor})`);
}

/** After those that it has. */
export async function insertPostings(
  tx: Tx,
  id: string,
  postings: readonly (Omit<PlannedPosting, 'part'> & { readonly part: AccrualPart })[],
): Promise<void> {
  await tx.query(sql`insert into ledger.accrual_postings (accrual_id, place, part, posting_date, result_ore)
    select ${id}::uuid, coalesce((select max(p.place) from ledger.accrual_postings p
        where p.accrual_id = ${id}::uuid), 0) + n.nth, n.part, n.day, n.ore
    from unnest(${postings.map(({ part }) => part)}::text[], ${postings.map(({ date }) => date)}::date[],
      ${postings.map(({ resultOre }) => resultOre)}::bigint[]) with ordinality as n (part, day, ore, nth)`);
}

export type AccrualPart = PlannedPosting['part'] | 'rest';

export interface AccrualPosting {
  readonly place: number;
  readonly part: AccrualPart;
  readonly date: string;
  readonly resultOre: Ore;
  readonly voucherId: string | null;
  /** As it is called; null until it is posted. */
  readonly voucher: string | null;
  /** What has taken the voucher back. */
  readonly takenBackBy: string | null;
  /** Why it could not be posted on its day. */
  readonly problem: Fault | null;
}

/** In the order of their days. */
export function listPostings(db: Db, id: string): Promise<AccrualPosting[]> {
  return db.query(sql`select p.place, p.part, p.posting_date as date, p.result_ore as "resultOre",
      p.voucher_id as "voucherId", v.series || v.number as voucher, c.reversal_id as "takenBackBy", p.problem
    from ledger.accrual_postings p left join ledger.vouchers v on v.id = p.voucher_id
    left join ledger.corrections c on c.corrected_id = p.voucher_id
    where p.accrual_id = ${id}::uuid order by p.posting_date, p.place`);
}

/** Plans that have something to post by the day, the earliest first. */
export async function listDueAccruals(db: Db, today: string): Promise<string[]> {
  const due = await db.query<{
    id: string;
  }>(sql`select p.accrual_id as id from ledger.accrual_postings p
    where p.voucher_id is null and p.posting_date <= ${today}::date
    group by p.accrual_id order by min(p.posting_date), p.accrual_id`);
  return due.map(({ id }) => id);
}

export async function setPosted(
  tx: Tx,
  { id, place }: { readonly id: string; readonly place: number },
  voucherId: string,
): Promise<void> {
  await tx.query(sql`update ledger.accrual_postings set voucher_id = ${voucherId}::uuid, problem = null
    where accrual_id = ${id}::uuid and place = ${place}`);
}

export async function setProblem(
  tx: Tx,
  { id, place }: { readonly id: string; readonly place: number },
  problem: Fault,
): Promise<void> {
  const stored = jsonOf(problem);
  await tx.query(sql`update ledger.accrual_postings set problem = ${stored}::jsonb
    where accrual_id = ${id}::uuid and place = ${place} and problem is distinct from ${stored}::jsonb`);
}

/** Gives those that are not posted and dated before the day that day. Answers how many. */
export async function moveUnposted(tx: Tx, id: string, day: string): Promise<number> {
  const moved = await tx.query(sql`update ledger.accrual_postings
    set posting_date = ${day}::date, problem = null
    where accrual_id = ${id}::uuid and voucher_id is null and posting_date < ${day}::date returning place`);
  return moved.length;
}

export async function deleteUnposted(tx: Tx, id: string): Promise<number> {
  const removed = await tx.query(sql`delete from ledger.accrual_postings
    where accrual_id = ${id}::uuid and voucher_id is null returning place`);
  return removed.length;
}

export async function setCancelled(tx: Tx, id: string, actor: string): Promise<void> {
  await tx.query(sql`update ledger.accruals set cancelled_at = now(), cancelled_by = ${actor}
    where id = ${id}::uuid`);
}

/**
 * What the voucher has on the account, debit above zero, and what plans have taken of it: all of it, and of a cancelled one
 * what it moved and never gave back.
 */
export async function getOriginAmounts(
  db: Db,
  voucherId: string,
  account: number,
): Promise<{ voucher: string; bookedOre: Ore; plannedOre: Ore } | undefined> {
  const [found] = await db.query<{ voucher: string; bookedOre: Ore; plannedOre: Ore }>(
    sql`select v.series || v.number as voucher,
      (select coalesce(sum(r.debit_ore - r.credit_ore), 0)::bigint from ledger.voucher_rows r
        where r.voucher_id = v.id and r.account = ${account}) as "bookedOre",
      (select coalesce(sum(case when a.cancelled_at is null then a.amount_ore else (
          select abs(coalesce(sum(p.result_ore), 0)) from ledger.accrual_postings p where p.accrual_id = a.id
            and not exists (select from ledger.corrections c where c.corrected_id = p.voucher_id)) end), 0)::bigint
        from ledger.accruals a where a.origin_voucher_id = v.id and a.result_account = ${account}) as "plannedOre"
    from ledger.vouchers v where v.id = ${voucherId}::uuid`,
  );
  return found;
}

interface UsedAccount {
  number: number;
  is_active: boolean;
}

export const listAccountStates = (db: Db, accounts: readonly number[]): Promise<UsedAccount[]> =>
  db.query(sql`select number, is_active from ledger.accounts
    where number = any (${accounts}::integer[]) order by number`);

/** Whether the latest year has the series. */
export async function findLatestSeries(
  db: Db,
  code: string,
): Promise<{ year: number; isThere: boolean } | undefined> {
  const [found] = await db.query<{ year: number; isThere: boolean }>(
    sql`select y.year, exists (select from ledger.series s
        where s.fiscal_year_id = y.id and s.code = ${code}) as "isThere"
      from ledger.fiscal_years y order by y.end_date desc limit 1`,
  );
  return found;
}
