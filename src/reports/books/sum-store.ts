/**
 * What days come to, by account: of whole months the kept sums, of a month that they cut what is dated on the one side of
 * the cut, added, or on the other, taken off; what carries a dimension is read by its index.
 */
import type { Db } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { addDays } from '../../domain/basics/dates.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { AccountSum } from '../../domain/ledger/statements.ts';
import type { Dimension } from '../../ledger/dimensions/store.ts';
import type { Days } from './table.ts';

export type Carrier = Pick<Dimension, 'id' | 'kind'>;

/** Before the first voucher there can be. */
export const everSince = '1900-01-01';

interface SpanSum {
  place: number;
  account: number;
  name: string;
  debit_ore: bigint;
  credit_ore: bigint;
}

/** Whether a row carries the dimension; every row does of none. */
export const carries = (dimension: Carrier | undefined): Sql => {
  if (!dimension) return sql`true`;
  return dimension.kind === 'cost_center'
    ? sql`r.cost_center_id = ${dimension.id}::uuid`
    : sql`r.project_id = ${dimension.id}::uuid`;
};

/** `spans` may overlap: each is read by itself. */
function listSpanSums(
  db: Db,
  spans: readonly Days[],
  dimension: Carrier | undefined,
): Promise<SpanSum[]> {
  const given = sql`unnest(${spans.map((_, place) => place)}::integer[],
    ${spans.map(({ from }) => from)}::date[], ${spans.map(({ to }) => to)}::date[]) as s (place, first, last)`;
  const posted = dimension
    ? sql`select s.place, r.account, r.debit_ore, r.credit_ore from ${given}
        join ledger.voucher_rows r on ${carries(dimension)}
          and r.verification_date between s.first and s.last`
    : sql`select s.place, b.account, b.debit_ore, b.credit_ore
        from split s join ledger.month_balances b on b.month >= s.month_first and b.month < s.month_after
        union all
        select d.place, r.account, d.sign * r.debit_ore, d.sign * r.credit_ore
        from days d
        cross join lateral (select distinct b.account from ledger.month_balances b
          where b.month = date_trunc('month', d.first)::date) as used
        -- One walk of the index for each account: read by their vouchers they take several times as long (measured).
        cross join lateral (select v.account, v.debit_ore, v.credit_ore from ledger.voucher_rows v
          where v.account = used.account and v.verification_date between d.first and d.last offset 0) as r`;
  return db.query(sql`with months as (
      select s.*, date_trunc('month', s.first)::date as head, date_trunc('month', s.last)::date as tail,
        (date_trunc('month', s.first) + interval '1 month')::date as after_head,
        (date_trunc('month', s.last) + interval '1 month')::date as after_tail
      from ${given} where s.first <= s.last
    ), cut as (
      -- The side that has fewer days is read; up to today all that there is on the other is often nothing.
      select m.*,
        m.first - m.head <= m.after_head - m.first as is_head_whole,
        m.after_tail - 1 - m.last <= m.last + 1 - m.tail or not exists (select from ledger.vouchers v
          where v.verification_date > m.last and v.verification_date < m.after_tail) as is_tail_whole,
        m.head = m.tail and m.head < m.first and m.last < m.after_tail - 1 as is_within
      from months m
    ), split as (
      select c.*, case when c.is_head_whole then c.head else c.after_head end as month_first,
        case when c.is_within then c.head when c.is_tail_whole then c.after_tail else c.tail end as month_after
      from cut c
    ), days as (
      select s.place, d.sign, d.first, d.last from split s
      cross join lateral (values
        (s.is_within, 1, s.first, s.last),
        (not s.is_within and s.is_head_whole, -1, s.head, s.first - 1),
        (not s.is_within and not s.is_head_whole, 1, s.first, s.after_head - 1),
        (not s.is_within and s.is_tail_whole, -1, s.last + 1, s.after_tail - 1),
        (not s.is_within and not s.is_tail_whole, 1, s.tail, s.last)) as d (is_read, sign, first, last)
      where d.is_read and d.first <= d.last
    ), posted as (${posted}), summed as (
      select p.place, p.account, sum(p.debit_ore)::bigint as debit_ore, sum(p.credit_ore)::bigint as credit_ore
      from posted p group by p.place, p.account having sum(p.debit_ore) <> 0 or sum(p.credit_ore) <> 0
    )
    select s.place, s.account, a.name, s.debit_ore, s.credit_ore
    from summed s join ledger.accounts a on a.number = s.account order by s.account, s.place`);
}

export interface SpannedAccount {
  readonly account: number;
  readonly name: string;
  /** Under each of the spans. */
  readonly spans: readonly { readonly debitOre: Ore; readonly creditOre: Ore }[];
}

const nothing = { debitOre: 0n, creditOre: 0n };

/** Every account that anything was posted on in any of the spans, in order. */
export async function listAccountSpans(
  db: Db,
  spans: readonly Days[],
  dimension: Carrier | undefined,
): Promise<SpannedAccount[]> {
  const found = new Map<number, { name: string; spans: SpannedAccount['spans'][number][] }>();
  for (const one of await listSpanSums(db, spans, dimension)) {
    const account = found.get(one.account) ?? { name: one.name, spans: spans.map(() => nothing) };
    account.spans[one.place] = { debitOre: one.debit_ore, creditOre: one.credit_ore };
    found.set(one.account, account);
  }
  return [...found].map(([account, rest]) => ({ account, ...rest }));
}

/** What stood as the first day began, since ever, and what the days brought. */
export async function listAccountSums(
  db: Db,
  days: Days,
  { since, dimension }: { readonly since: string; readonly dimension?: Carrier | undefined },
): Promise<AccountSum[]> {
  // Both since the same day: days of the month that `from` cuts in two are read once, not for either side of it.
  const through = { from: since, to: days.to };
  const before = { from: since, to: addDays(days.from, -1) };
  const spans = before.from <= before.to ? [through, before] : [days];
  const accounts = await listAccountSpans(db, spans, dimension);
  return accounts.map(({ account, name, spans: [reached = nothing, stood = nothing] }) => ({
    account,
    name,
    openingOre: stood.debitOre - stood.creditOre,
    debitOre: reached.debitOre - stood.debitOre,
    creditOre: reached.creditOre - stood.creditOre,
  }));
}
