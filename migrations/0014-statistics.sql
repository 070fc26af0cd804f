-- What the statistics routes read: sums kept where vouchers and invoices are written, so that no answer
-- walks the ledger, and one function an answer. Filled once from what exists: a walk of the rows, while
-- nobody posts (about ten seconds a million vouchers).

lock table ledger.series in exclusive mode;

-- Revenue (3000–3999) by day. By series, so that two series never wait for each other.
create table ledger.day_revenues (
  series_id uuid not null,
  day date not null,
  revenue_ore bigint not null,
  constraint day_revenues_pkey primary key (day, series_id),
  constraint day_revenues_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);

-- Revenue, costs (4000–7999) and of these goods (4000–4999) by month: what month balances would add up
-- to, in a row a series instead of one each of its accounts too.
create table ledger.month_totals (
  series_id uuid not null,
  month date not null,
  revenue_ore bigint not null,
  costs_ore bigint not null,
  goods_ore bigint not null,
  constraint month_totals_pkey primary key (series_id, month),
  constraint month_totals_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);

-- The balances of a few accounts.
create index month_balances_by_account on ledger.month_balances (account);

-- Costs by whom they were paid to: the voucher's counterparty. One row each, and another
-- whenever all there are of it are held by those who post at the same moment: nobody waits for anybody,
-- and there are no more rows than that to sum up (by series it was fourteen a counterparty).
create table ledger.supplier_costs (
  counterparty text not null,
  id uuid not null default gen_random_uuid(),
  cost_ore bigint not null,
  constraint supplier_costs_pkey primary key (counterparty, id)
) with (fillfactor = 50);

-- As before (0003), and it keeps these sums and the count of documented vouchers. Kept here, where the rows
-- are at hand: the same in triggers cost a third of a batch of fifty (measured: 4.0 ms became 7.1).
create or replace function ledger.post_vouchers(
  p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[],
  p_source text[], p_actor text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[],
  p_skip boolean[] default null, p_dry_run boolean default false
) returns table (item integer, number integer, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_now constant timestamptz := now();
  c_items constant integer := cardinality(p_id);
  c_rows constant integer := cardinality(p_row_item);
  v_problems jsonb[] := array_fill(null::jsonb, array[c_items]);
  v_locks record;
  v_head record;
  -- The series in play, locked: where each stands and moves to.
  v_head_id uuid[] := '{}';
  v_head_code text[] := '{}';
  v_head_start date[] := '{}';
  v_head_end date[] := '{}';
  v_head_number integer[] := '{}';
  v_head_hash bytea[] := '{}';
  v_head_moved boolean[] := '{}';
  -- The vouchers to write, and each row's place.
  v_item integer[] := '{}';
  v_series_id uuid[] := '{}';
  v_number integer[] := '{}';
  v_row_count integer[] := '{}';
  v_total bigint[] := '{}';
  v_hash bytea[] := '{}';
  v_row_number integer[] := array_fill(null::integer, array[c_rows]);
  v_row_series_id uuid[] := array_fill(null::uuid, array[c_rows]);
  -- The sums kept beside the rows: revenue and costs of a voucher, and whether it is its own document.
  v_revenue bigint;
  v_cost bigint;
  v_revenue_item integer[] := '{}';
  v_revenue_ore bigint[] := '{}';
  v_cost_item integer[] := '{}';
  v_cost_ore bigint[] := '{}';
  v_own_item integer[] := '{}';
  v_item_series_id uuid[] := array_fill(null::uuid, array[c_items]);
  h integer;
  r integer := 1;
  v_first_row integer;
  v_rows text;
  v_debit bigint;
  v_touches_vat boolean;
begin
  -- Nearly always nothing is wrong and no row has a dimension: then this one look is all.
  if array_remove(p_row_cost_center, null) <> '{}' or array_remove(p_row_project, null) <> '{}'
    or exists (select from unnest(p_row_account) as r (account)
      where not exists (select from ledger.accounts a where a.number = r.account and a.is_active)) then
    for v_head in select p.item, p.problems from ledger.row_problems(
        p_row_item, p_row_no, p_row_account, p_row_cost_center, p_row_project) p
    loop
      v_problems[v_head.item] := v_head.problems;
    end loop;
  end if;

  -- Holding its series' row makes a voucher's number and hash its own until commit. Whoever sets a
  -- lock or closes a year locks the whole table, so what is read below stays true until commit.
  for v_head in
    select s.id, s.code, s.last_number, s.last_hash, y.start_date, y.end_date
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where s.code = any (p_series)
      and exists (select from unnest(p_date) as d (day) where d.day between y.start_date and y.end_date)
    order by s.id for update of s
  loop
    v_head_id := v_head_id || v_head.id;
    v_head_code := v_head_code || v_head.code;
    v_head_start := v_head_start || v_head.start_date;
    v_head_end := v_head_end || v_head.end_date;
    v_head_number := v_head_number || v_head.last_number;
    v_head_hash := v_head_hash || v_head.last_hash;
    v_head_moved := v_head_moved || false;
  end loop;
  select l.period_locked_to, l.vat_locked_to,
    (select array_agg(daterange(y.start_date, y.end_date, '[]')) from ledger.fiscal_years y
      where y.status = 'closed') as closed
  into v_locks from ledger.locks l;

  for i in 1..c_items loop
    item := i;
    number := null;
    error := null;
    detail := null;
    v_first_row := r;
    while r <= c_rows and p_row_item[r] = i loop r := r + 1; end loop;
    if p_skip[i] then
      return next;
      continue;
    end if;

    h := 1;
    while h <= cardinality(v_head_id) and not (v_head_code[h] = p_series[i]
        and p_date[i] between v_head_start[h] and v_head_end[h]) loop
      h := h + 1;
    end loop;
    if h > cardinality(v_head_id) then
      v_problems[i] := ledger.series_problem(p_series[i], p_date[i])
        || coalesce(v_problems[i], '[]'::jsonb);
    end if;
    if v_problems[i] is not null then
      error := 'unprocessable';
      detail := jsonb_build_object('problems', v_problems[i]);
      return next;
      continue;
    end if;

    if p_date[i] <= greatest(v_locks.period_locked_to, v_locks.vat_locked_to)
        or p_date[i] <@ any (v_locks.closed) then
      v_touches_vat := ledger.touches_vat(p_row_account[v_first_row:r - 1]);
      detail := ledger.find_lock(p_date[i], v_touches_vat);
      if detail is not null then
        error := 'period_locked';
        return next;
        continue;
      end if;
    end if;
    if p_dry_run then
      return next;
      continue;
    end if;

    number := v_head_number[h] + 1;
    v_rows := '';
    v_debit := 0;
    v_revenue := 0;
    v_cost := 0;
    for k in v_first_row..r - 1 loop
      v_rows := v_rows || case when k > v_first_row then ',' else '' end || ledger.row_content(
        p_row_no[k], p_row_account[k], p_row_debit[k], p_row_credit[k], p_row_note[k],
        p_row_cost_center[k], p_row_project[k]);
      v_debit := v_debit + p_row_debit[k];
      if p_row_account[k] between 3000 and 3999 then
        v_revenue := v_revenue + p_row_credit[k] - p_row_debit[k];
      elsif p_row_account[k] between 4000 and 7999 then
        v_cost := v_cost + p_row_debit[k] - p_row_credit[k];
      end if;
      v_row_number[k] := number;
      v_row_series_id[k] := v_head_id[h];
    end loop;
    v_head_number[h] := number;
    v_head_hash[h] := ledger.seal(v_head_hash[h], ledger.voucher_content(p_id[i], p_series[i], number,
      p_date[i], p_description[i], p_counterparty[i], p_source[i], c_now, p_actor[i], v_rows));
    v_head_moved[h] := true;
    v_item := v_item || i;
    v_series_id := v_series_id || v_head_id[h];
    v_number := v_number || number;
    v_row_count := v_row_count || (r - v_first_row);
    v_total := v_total || v_debit;
    v_hash := v_hash || v_head_hash[h];
    v_item_series_id[i] := v_head_id[h];
    if v_revenue <> 0 then
      v_revenue_item := v_revenue_item || i;
      v_revenue_ore := v_revenue_ore || v_revenue;
    end if;
    if v_cost <> 0 and p_counterparty[i] is not null then
      v_cost_item := v_cost_item || i;
      v_cost_ore := v_cost_ore || v_cost;
    end if;
    if ledger.has_own_document(p_source[i]) then
      v_own_item := v_own_item || i;
    end if;
    return next;
  end loop;
  if v_item = '{}' then return; end if;

  with voucher as (
    insert into ledger.vouchers (id, series_id, series, number, verification_date, description,
      counterparty, source, row_count, total_ore, posted_at, posted_by, request_id, hash)
    select p_id[v.item], v.series_id, p_series[v.item], v.number, p_date[v.item],
      p_description[v.item], p_counterparty[v.item], p_source[v.item], v.row_count, v.total, c_now,
      p_actor[v.item], p_request_id[v.item], v.hash
    from unnest(v_item, v_series_id, v_number, v_row_count, v_total, v_hash)
      as v (item, series_id, number, row_count, total, hash)
  )
  insert into ledger.voucher_rows (voucher_id, row_no, account, debit_ore, credit_ore, note,
    cost_center_id, project_id, verification_date, series, number)
  select p_id[v.item], v.row_no, v.account, v.debit, v.credit, v.note, v.cost_center, v.project,
    p_date[v.item], p_series[v.item], v.number
  from unnest(p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit, p_row_note,
      p_row_cost_center, p_row_project, v_row_number)
    as v (item, row_no, account, debit, credit, note, cost_center, project, number)
  where v.number is not null;

  with change as (
    select v.series_id, v.account, date_trunc('month', p_date[v.item])::date as month,
      sum(v.debit)::bigint as debit, sum(v.credit)::bigint as credit
    from unnest(p_row_item, p_row_account, p_row_debit, p_row_credit, v_row_series_id)
      as v (item, account, debit, credit, series_id)
    where v.series_id is not null
    group by 1, 2, 3
  ), total as (
    insert into ledger.month_totals as t (series_id, month, revenue_ore, costs_ore, goods_ore)
    select c.series_id, c.month,
      coalesce(sum(c.credit - c.debit) filter (where c.account < 4000), 0),
      coalesce(sum(c.debit - c.credit) filter (where c.account >= 4000), 0),
      coalesce(sum(c.debit - c.credit) filter (where c.account between 4000 and 4999), 0)
    from change c where c.account between 3000 and 7999
    group by 1, 2
    on conflict (series_id, month) do update set revenue_ore = t.revenue_ore + excluded.revenue_ore,
      costs_ore = t.costs_ore + excluded.costs_ore, goods_ore = t.goods_ore + excluded.goods_ore
  )
  insert into ledger.month_balances as b (series_id, account, month, debit_ore, credit_ore)
  select c.series_id, c.account, c.month, c.debit, c.credit from change c
  on conflict (series_id, account, month) do update set
    debit_ore = b.debit_ore + excluded.debit_ore, credit_ore = b.credit_ore + excluded.credit_ore;

  if v_revenue_item <> '{}' then
    insert into ledger.day_revenues as d (series_id, day, revenue_ore)
    select v_item_series_id[r.item], p_date[r.item], sum(r.ore)
    from unnest(v_revenue_item, v_revenue_ore) as r (item, ore)
    group by 1, 2 order by 2, 1
    on conflict (day, series_id) do update set revenue_ore = d.revenue_ore + excluded.revenue_ore;
  end if;
  if v_cost_item <> '{}' then
    with cost as (
      select p_counterparty[r.item] as counterparty, sum(r.ore) as ore
      from unnest(v_cost_item, v_cost_ore) as r (item, ore) group by 1
    ), free as (
      select f.counterparty, f.id, cost.ore
      from cost cross join lateral (select c.counterparty, c.id from ledger.supplier_costs c
        where c.counterparty = cost.counterparty limit 1 for no key update skip locked) as f
    ), added as (
      update ledger.supplier_costs c set cost_ore = c.cost_ore + free.ore
      from free where c.counterparty = free.counterparty and c.id = free.id
      returning c.counterparty
    )
    insert into ledger.supplier_costs (counterparty, cost_ore)
    select cost.counterparty, cost.ore from cost
    where not exists (select from added where added.counterparty = cost.counterparty);
  end if;
  if v_own_item <> '{}' then
    insert into ledger.documented_vouchers as d (series_id, month, own)
    select v_item_series_id[r.item], date_trunc('month', p_date[r.item])::date, count(*)
    from unnest(v_own_item) as r (item)
    group by 1, 2 order by 1, 2
    on conflict (series_id, month) do update set own = d.own + excluded.own;
  end if;

  insert into events.outbox (epoch, type, subject)
  select c.epoch, 'voucher.posted', p_id[v.item] from events.clock c, unnest(v_item) as v (item);

  for h in 1..cardinality(v_head_id) loop
    continue when not v_head_moved[h];
    update ledger.series s set last_number = v_head_number[h], last_hash = v_head_hash[h]
    where s.id = v_head_id[h];
  end loop;
end $$;

-- Booked invoices less credit notes, without VAT, by customer and by article. Only booking writes here,
-- and it holds the invoice number series.
create table sales.customer_revenues (
  customer_id uuid not null,
  net_ore bigint not null,
  constraint customer_revenues_pkey primary key (customer_id),
  constraint customer_revenues_customer_fkey foreign key (customer_id) references sales.customers
) with (fillfactor = 50);
create index customer_revenues_by_net on sales.customer_revenues (net_ore desc);

create table sales.article_revenues (
  article_number text not null,
  account integer not null,
  net_ore bigint not null,
  constraint article_revenues_pkey primary key (article_number, account),
  constraint article_revenues_account_fkey foreign key (account) references ledger.accounts
) with (fillfactor = 50);

-- What customers owe, fees included, and how many invoices a day has: however many there are.
create table sales.receivables (
  singleton boolean not null default true,
  open_ore bigint not null,
  constraint receivables_pkey primary key (singleton),
  constraint receivables_is_single check (singleton)
) with (fillfactor = 50);
create table sales.day_invoices (
  day date not null,
  invoices bigint not null,
  constraint day_invoices_pkey primary key (day)
) with (fillfactor = 50);

create function sales.sum_booked() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_booked uuid[];
  v_opened bigint;
begin
  select array_agg(a.id) filter (where b.status = 'draft' and a.status <> 'draft'),
    sum(a.open_ore - b.open_ore)
  into v_booked, v_opened from after a join before b on b.id = a.id;
  if v_opened <> 0 then
    update sales.receivables r set open_ore = r.open_ore + v_opened;
  end if;
  if v_booked is null then return null; end if;
  insert into sales.day_invoices as d (day, invoices)
  select a.invoice_date, count(*) from after a where a.id = any (v_booked) and a.kind = 'invoice'
  group by 1 order by 1
  on conflict (day) do update set invoices = d.invoices + excluded.invoices;
  insert into sales.customer_revenues as c (customer_id, net_ore)
  select a.customer_id, sum(case a.kind when 'invoice' then a.net_ore else -a.net_ore end)
  from after a where a.id = any (v_booked)
  group by 1 order by 1
  on conflict (customer_id) do update set net_ore = c.net_ore + excluded.net_ore;
  insert into sales.article_revenues as s (article_number, account, net_ore)
  select r.article_number, r.account, sum(case a.kind when 'invoice' then r.net_ore else -r.net_ore end)
  from after a
  cross join lateral (select * from sales.invoice_rows where invoice_id = a.id) as r
  where a.id = any (v_booked) and r.article_number is not null
  group by 1, 2 order by 1, 2
  on conflict (article_number, account) do update set net_ore = s.net_ore + excluded.net_ore;
  return null;
end $$;
create trigger invoices_sum_booked after update on sales.invoices
  referencing old table as before new table as after
  for each statement execute function sales.sum_booked();

-- Revenue, costs and of these goods by month, öre.
create function ledger.month_results()
returns table (month date, revenue_ore bigint, costs_ore bigint, goods_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select m.month, sum(m.revenue_ore)::bigint, sum(m.costs_ore)::bigint, sum(m.goods_ore)::bigint
  from ledger.month_totals m group by m.month order by m.month
$$;

-- GET /api/stats/monthly. All amounts of these answers are öre; rounding is the caller's.
create function api.monthly_statistics() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return jsonb_build_object(
    'first_day', (select min(v.verification_date) from ledger.vouchers v),
    'months', (select coalesce(jsonb_agg(m order by m.month), '[]') from ledger.month_results() m));
end $$;

-- GET /api/stats/overview, in one snapshot. p_limit: how many of each kind are named.
create function api.overview_statistics(p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_answer jsonb;
begin
  perform api.require_key('data:read');
  with balance as materialized (
    select b.account, sum(b.debit_ore - b.credit_ore)::bigint as ore from ledger.month_balances b
    where b.account between 1900 and 1999 or b.account = 2440 or b.account between 3000 and 3999
    group by b.account
  ), service as (
    select a.article_number as article, null::integer as account,
      coalesce(min(r.description), a.article_number) as name, sum(a.net_ore)::bigint as ore
    from sales.article_revenues a left join sales.articles r on r.number = a.article_number
    group by a.article_number
    union all
    select null, b.account, n.name, -b.ore - coalesce((select sum(a.net_ore)
      from sales.article_revenues a where a.account = b.account), 0)::bigint
    from balance b join ledger.accounts n on n.number = b.account
    where b.account between 3000 and 3999
  ), named_service as (
    select * from service where ore <> 0 order by ore desc, article, account limit p_limit
  ), customer as (
    select t.customer_id as id, k.name, t.net_ore as ore
    from sales.customer_revenues t join sales.customers k on k.id = t.customer_id
    where t.net_ore <> 0 order by t.net_ore desc, t.customer_id limit p_limit
  ), supplier as (
    select c.counterparty as name, sum(c.cost_ore)::bigint as ore
    from ledger.supplier_costs c group by c.counterparty having sum(c.cost_ore) <> 0
    order by 2 desc, 1 limit p_limit
  ), money as (
    select b.account, n.name, b.ore
    from balance b join ledger.accounts n on n.number = b.account
    where b.account between 1900 and 1999
  )
  select jsonb_build_object(
    'first_day', (select min(v.verification_date) from ledger.vouchers v),
    'months', (select coalesce(jsonb_agg(m order by m.month), '[]') from ledger.month_results() m),
    'attachments_missing', ledger.count_attachments_missing(),
    'services', (select coalesce(jsonb_agg(s order by s.ore desc, s.article, s.account), '[]')
      from named_service s),
    'customers', (select coalesce(jsonb_agg(c order by c.ore desc, c.id), '[]') from customer c),
    'suppliers', (select coalesce(jsonb_agg(s order by s.ore desc, s.name), '[]') from supplier s),
    'liquidity', (select coalesce(jsonb_agg(m order by m.account), '[]') from money m),
    'receivables', (select r.open_ore from sales.receivables r),
    'payables', coalesce((select -b.ore from balance b where b.account = 2440), 0),
    'ledger_head', (select jsonb_build_object('vouchers', i.vouchers,
      'hash', encode(i.head_hash, 'hex')) from api.installation() i))
  into v_answer;
  return v_answer;
end $$;

-- GET /api/stats/daily: one row a day, days without events too.
create function api.daily_statistics(p_from date, p_to date)
returns table (day date, revenue_ore bigint, invoices bigint, unpaid_ore bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    select d.day::date, coalesce(r.ore, 0)::bigint, coalesce(n.invoices, 0), o.open_ore
    from generate_series(p_from, p_to, interval '1 day') as d (day)
    left join (
      select v.day, sum(v.revenue_ore) as ore from ledger.day_revenues v
      where v.day between p_from and p_to group by v.day) as r on r.day = d.day
    left join sales.day_invoices n on n.day = d.day
    cross join sales.receivables o
    order by d.day;
end $$;

insert into ledger.day_revenues (series_id, day, revenue_ore)
select v.series_id, r.verification_date, sum(r.credit_ore - r.debit_ore)
from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
where r.account between 3000 and 3999 group by 1, 2;
insert into ledger.month_totals (series_id, month, revenue_ore, costs_ore, goods_ore)
select b.series_id, b.month,
  coalesce(sum(b.credit_ore - b.debit_ore) filter (where b.account < 4000), 0),
  coalesce(sum(b.debit_ore - b.credit_ore) filter (where b.account >= 4000), 0),
  coalesce(sum(b.debit_ore - b.credit_ore) filter (where b.account between 4000 and 4999), 0)
from ledger.month_balances b where b.account between 3000 and 7999 group by 1, 2;
insert into ledger.supplier_costs (counterparty, cost_ore)
select v.counterparty, sum(r.debit_ore - r.credit_ore)
from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
where r.account between 4000 and 7999 and v.counterparty is not null group by 1;
insert into sales.receivables (open_ore) select coalesce(sum(i.open_ore), 0) from sales.invoices i;
insert into sales.day_invoices (day, invoices)
select i.invoice_date, count(*) from sales.invoices i
where i.status <> 'draft' and i.kind = 'invoice' group by 1;
insert into sales.customer_revenues (customer_id, net_ore)
select i.customer_id, sum(i.net_ore) from sales.invoices i
where i.status <> 'draft' and i.kind = 'invoice' group by 1;
insert into sales.article_revenues (article_number, account, net_ore)
select r.article_number, r.account, sum(r.net_ore)
from sales.invoice_rows r join sales.invoices i on i.id = r.invoice_id
where i.status <> 'draft' and i.kind = 'invoice' and r.article_number is not null group by 1, 2;
insert into ledger.documented_vouchers (series_id, month, own)
select v.series_id, date_trunc('month', v.verification_date)::date, count(*)
from ledger.vouchers v where ledger.has_own_document(v.source) group by 1, 2;
