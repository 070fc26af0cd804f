/** Books held against the bank at the end of a day: what stands on one side only, row by row. */
import type { Db, Tx } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';

export interface BridgeRow {
  /** Of the voucher, or of the bank's row. */
  id: string;
  date: string;
  text: string;
  voucher: string | null;
  ore: Ore;
}

/** Rows shown of a kind, and what all of them are. What was taken back by the day comes to nothing together with what took it back, and is not shown. */
export interface BridgePart {
  readonly count: number;
  /** Without what was taken back. */
  readonly standing: number;
  readonly ore: Ore;
  /** Of which rows they are, all of them: others have another, though they come to the same. Empty of none. */
  readonly digest: string;
  readonly rows: readonly BridgeRow[];
}

export interface DayBalances {
  /** By the bank: its latest statement that is not later, and what it has told of since. */
  bank_ore: Ore | null;
  ledger_ore: Ore;
  /** Of the first row that the bank has told of. */
  first_day: string | null;
}

export async function getDayBalances(
  db: Db,
  accountId: string,
  day: string,
): Promise<DayBalances | undefined> {
  const [found] = await db.query<DayBalances>(sql`
    select s.balance_ore + coalesce((select sum(t.amount_ore) from bank.transactions t
        where t.account_id = a.id and t.booked_on > s.closing_date and t.booked_on <= ${day}::date), 0)::bigint
        as bank_ore,
      ledger.balance_at(a.ledger_account, ${day}::date) as ledger_ore,
      (select min(t.booked_on) from bank.transactions t where t.account_id = a.id) as first_day
    from bank.accounts a
    left join lateral (select s.closing_date, s.balance_ore from bank.statements s
      where s.account_id = a.id and s.closing_date <= ${day}::date
      order by s.closing_date desc limit 1) as s on true
    where a.id = ${accountId}::uuid`);
  return found;
}

const rowsShown = 200;

interface Found extends Omit<BridgeRow, 'id'> {
  id: string | null;
  of_them: bigint;
  standing: bigint;
  total: Ore;
  digest: string;
}

async function part(db: Db, rows: Sql): Promise<BridgePart> {
  const found = await db.query<Found>(sql`
    with part as materialized (${rows})
    select r.id, r.date, r.text, r.voucher, r.ore, whole.of_them, whole.standing, whole.total, whole.digest
    from (select count(*) as of_them, count(*) filter (where not p.is_taken_back) as standing,
        coalesce(sum(p.ore), 0)::bigint as total,
        coalesce(md5(string_agg(concat_ws(' ', p.id, p.voucher, p.ore), ',' order by p.id)), '') as digest
      from part p) as whole
    left join part r on not r.is_taken_back
    order by r.date, r.id limit ${rowsShown}`);
  const [first] = found;
  return {
    count: Number(first?.of_them ?? 0n),
    standing: Number(first?.standing ?? 0n),
    ore: first?.total ?? 0n,
    digest: first?.digest ?? '',
    rows: found.flatMap(({ id, of_them: _, standing: __, total: ___, digest: ____, ...row }) =>
      id === null ? [] : { id, ...row },
    ),
  };
}

/** Booked from the bank's first day on, and not at the bank: what a voucher changes beyond its rows. */
export const listOutside = (
  db: Db,
  accountId: string,
  [from, day]: readonly [string, string],
): Promise<BridgePart> =>
  part(
    db,
    sql`select v.id, v.verification_date as date, v.description as text, v.series || v.number as voucher,
          c.ore - coalesce((select sum(t.amount_ore) from bank.transactions t
            where t.voucher_id = v.id and t.account_id = ${accountId}::uuid), 0)::bigint as ore,
          exists (
            select from (
              select c.corrected_id as taken, c.reversal_id as back from ledger.corrections c
                where v.id in (c.corrected_id, c.reversal_id)
              union all select u.voucher_id, u.taken_back_by from bank.undone_bookings u
                where v.id in (u.voucher_id, u.taken_back_by)) as pair
            join ledger.vouchers o on o.id in (pair.taken, pair.back) and o.id <> v.id
            where o.verification_date between ${from}::date and ${day}::date
              and not exists (select from bank.transactions t where t.voucher_id in (pair.taken, pair.back))
          ) as is_taken_back
        from (select r.voucher_id, sum(r.debit_ore - r.credit_ore)::bigint as ore
          from ledger.voucher_rows r join bank.accounts a on a.ledger_account = r.account
          where a.id = ${accountId}::uuid and r.verification_date between ${from}::date and ${day}::date
          group by r.voucher_id) as c
        join ledger.vouchers v on v.id = c.voucher_id
        where c.ore <> coalesce((select sum(t.amount_ore) from bank.transactions t
          where t.voucher_id = v.id and t.account_id = ${accountId}::uuid), 0)`,
  );

/** At the bank, and in no voucher. */
export const listMissing = (db: Db, accountId: string, day: string): Promise<BridgePart> =>
  part(
    db,
    sql`select t.id, t.booked_on as date, t.description as text, null::text as voucher, t.amount_ore as ore,
          false as is_taken_back
        from bank.transactions t
        where t.account_id = ${accountId}::uuid and t.voucher_id is null and t.booked_on <= ${day}::date`,
  );

/** At the bank on one side of the day and in a voucher on the other. */
const otherwiseDated = (db: Db, accountId: string, where: Sql): Promise<BridgePart> =>
  part(
    db,
    sql`select t.id, t.booked_on as date, t.description as text, v.series || v.number as voucher,
          t.amount_ore as ore, false as is_taken_back
        from bank.transactions t join ledger.vouchers v on v.id = t.voucher_id
        where t.account_id = ${accountId}::uuid and ${where}`,
  );

/** At the bank by the day, and in a voucher of a later day, or of one before the bank's first. */
export const listEarly = (
  db: Db,
  accountId: string,
  [from, day]: readonly [string, string],
): Promise<BridgePart> =>
  otherwiseDated(
    db,
    accountId,
    sql`t.booked_on <= ${day}::date
          and v.verification_date not between ${from}::date and ${day}::date`,
  );

/** Booked by the day, and at the bank later. */
export const listLater = (
  db: Db,
  accountId: string,
  [from, day]: readonly [string, string],
): Promise<BridgePart> =>
  otherwiseDated(
    db,
    accountId,
    sql`t.booked_on > ${day}::date
          and v.verification_date between ${from}::date and ${day}::date`,
  );

export interface StatementGap {
  after: string;
  before: string;
  closing_ore: Ore;
  opening_ore: Ore;
}

/** Between days that statements have told of: where one does not begin with what the one before ended with. */
export function listGaps(db: Db, accountId: string): Promise<StatementGap[]> {
  return db.query(sql`select g.after, g.before, g.closing_ore, g.opening_ore from (
      select lag(d.day) over w as after, d.day as before, lag(d.closing_ore) over w as closing_ore, d.opening_ore
      from bank.days d where d.account_id = ${accountId}::uuid window w as (order by d.day)) as g
    where g.closing_ore <> g.opening_ore order by g.before desc limit 50`);
}

export interface ImportedStatement {
  id: string;
  import_id: string;
  format: string;
  is_notice: boolean;
  first_day: string | null;
  last_day: string | null;
  opening_ore: Ore | null;
  closing_ore: Ore | null;
  entries: number;
  added: number;
}

/** The latest days first. */
export function listStatements(
  db: Db,
  accountId: string,
  limit: number,
): Promise<ImportedStatement[]> {
  return db.query(sql`select id, import_id, format, is_notice, first_day, last_day, opening_ore, closing_ore, entries,
      added
    from bank.imported_statements where account_id = ${accountId}::uuid
    order by last_day desc nulls last, created_at desc, id limit ${limit}`);
}

export interface SignOff {
  id: string;
  day: string;
  summary: Readonly<Record<string, string>>;
  note: string;
  created_at: Date;
  created_by: string;
}

/** The last word of each day, the latest day first. */
export function listSignOffs(db: Db, accountId: string, limit: number): Promise<SignOff[]> {
  return db.query(sql`select s.id, s.day, s.summary, s.note, s.created_at, s.created_by from (
      select distinct on (day) id, day, summary, note, created_at, created_by from bank.sign_offs
      where account_id = ${accountId}::uuid order by day desc, created_at desc limit ${limit}) as s
    order by s.day desc`);
}

export async function insertSignOff(
  tx: Tx,
  one: {
    readonly id: string;
    readonly accountId: string;
    readonly day: string;
    readonly summary: object;
    readonly note: string;
  },
  actor: string,
): Promise<void> {
  const { id, accountId, day, summary, note } = one;
  await tx.query(sql`insert into bank.sign_offs (id, account_id, day, summary, note, created_by)
    values (${id}, ${accountId}, ${day}::date, ${JSON.stringify(summary)}::jsonb, ${note}, ${actor})`);
}
