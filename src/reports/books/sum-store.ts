/**
 * What days come to, by account: whole months are kept sums, days of other months are read from the rows; what
 * carries a dimension is read by its index.
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

/** `spans` do not overlap: each is read by itself. */
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
    : sql`select w.place, b.account, b.debit_ore, b.credit_ore
        from whole w join ledger.month_balances b on b.month >= w.month_first and b.month < w.month_after
        union all
        select d.place, r.account, r.debit_ore, r.credit_ore
        from days d
        cross join lateral (select distinct b.account from ledger.month_balances b
          where b.month between date_trunc('month', d.first)::date and d.last) as used
        -- One walk of the index for each account: read by their vouchers they take several times as long (measured).
        cross join lateral (select v.account, v.debit_ore, v.credit_ore from ledger.voucher_rows v
          where v.account = used.account and v.verification_date between d.first and d.last offset 0) as r`;
  return db.query(sql`with whole as (
      select s.*, date_trunc('month', s.first + interval '1 month' - interval '1 day')::date as month_first,
        date_trunc('month', s.last + 1)::date as month_after
      from ${given}
    ), days as (
      -- Either side of the whole months; where there are none, all of them.
      select w.place, d.first, d.last from whole w
      cross join lateral (values
        (w.first, case when w.month_first < w.month_after then w.month_first - 1 else w.last end),
        (case when w.month_first < w.month_after then w.month_after end, w.last)) as d (first, last)
      where d.first <= d.last
    ), posted as (${posted}), summed as (
      select p.place, p.account, sum(p.debit_ore)::bigint as debit_ore, sum(p.credit_ore)::bigint as credit_ore
      from posted p group by p.place, p.account
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
