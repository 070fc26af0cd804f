-- What the statistics routes read: sums kept where vouchers and invoices are written, so that no answer
-- walks the ledger, and one function an answer. Filled once from what exists (a walk of the rows).

-- Revenue (3000–3999) by day. By series, so that two series never wait for each other.
create table ledger.day_revenues (
  series_id uuid not null,
  day date not null,
  revenue_ore bigint not null,
  constraint day_revenues_pkey primary key (day, series_id),
  constraint day_revenues_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);

-- Costs (4000–7999) by whom they were paid to: the voucher's counterparty.
create table ledger.supplier_costs (
  series_id uuid not null,
  counterparty text not null,
  cost_ore bigint not null,
  constraint supplier_costs_pkey primary key (series_id, counterparty),
  constraint supplier_costs_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);

create function ledger.sum_results() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  if exists (select from added a where a.account between 3000 and 3999) then
    insert into ledger.day_revenues as d (series_id, day, revenue_ore)
    select v.series_id, a.verification_date, sum(a.credit_ore - a.debit_ore)
    from added a
    cross join lateral (select series_id from ledger.vouchers where id = a.voucher_id limit 1) as v
    where a.account between 3000 and 3999
    group by 1, 2 order by 2, 1
    on conflict (day, series_id) do update set revenue_ore = d.revenue_ore + excluded.revenue_ore;
  end if;
  if exists (select from added a where a.account between 4000 and 7999) then
    insert into ledger.supplier_costs as c (series_id, counterparty, cost_ore)
    select v.series_id, v.counterparty, sum(a.debit_ore - a.credit_ore)
    from added a
    cross join lateral (
      select series_id, counterparty from ledger.vouchers where id = a.voucher_id limit 1) as v
    where a.account between 4000 and 7999 and v.counterparty is not null
    group by 1, 2 order by 1, 2
    on conflict (series_id, counterparty) do update set cost_ore = c.cost_ore + excluded.cost_ore;
  end if;
  return null;
end $$;
create trigger voucher_rows_sum_results after insert on ledger.voucher_rows
  referencing new table as added for each statement execute function ledger.sum_results();

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

create index invoices_by_day on sales.invoices (invoice_date)
  where status <> 'draft' and kind = 'invoice';

create function sales.sum_booked() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_booked uuid[] := array(select a.id from after a join before b on b.id = a.id
    where b.status = 'draft' and a.status <> 'draft');
begin
  if v_booked = '{}' then return null; end if;
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

-- Revenue and costs by month, öre; and the month of the first voucher.
create function ledger.month_results() returns table (month date, revenue_ore bigint, costs_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select b.month,
    coalesce(sum(b.credit_ore - b.debit_ore) filter (where b.account < 4000), 0)::bigint,
    coalesce(sum(b.debit_ore - b.credit_ore) filter (where b.account >= 4000), 0)::bigint
  from ledger.month_balances b where b.account between 3000 and 7999 group by b.month order by b.month
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
begin
  perform api.require_key('data:read');
  return jsonb_build_object(
    'first_day', (select min(v.verification_date) from ledger.vouchers v),
    'months', (select coalesce(jsonb_agg(m order by m.month), '[]') from ledger.month_results() m),
    'goods', (select coalesce(jsonb_agg(g order by g.month), '[]') from (
      select b.month, sum(b.debit_ore - b.credit_ore)::bigint as costs_ore
      from ledger.month_balances b where b.account between 4000 and 4999 group by b.month) g),
    'attachments_missing', ledger.count_attachments_missing(),
    'services', (
      with account as (
        select b.account, sum(b.credit_ore - b.debit_ore)::bigint as ore
        from ledger.month_balances b where b.account between 3000 and 3999 group by b.account
      ), article as (
        select s.article_number, s.account, s.net_ore from sales.article_revenues s
      ), service as (
        select a.article_number as article, null::integer as account,
          coalesce(min(r.description), a.article_number) as name, sum(a.net_ore)::bigint as ore
        from article a left join sales.articles r on r.number = a.article_number
        group by a.article_number
        union all
        select null, t.account, n.name, t.ore - coalesce(
          (select sum(a.net_ore) from article a where a.account = t.account), 0)::bigint
        from account t join ledger.accounts n on n.number = t.account
      )
      select coalesce(jsonb_agg(s order by s.ore desc, s.article, s.account), '[]') from (
        select * from service where ore <> 0 order by ore desc, article, account limit p_limit) s),
    'customers', (select coalesce(jsonb_agg(c order by c.ore desc, c.id), '[]') from (
      select t.customer_id as id, k.name, t.net_ore as ore
      from sales.customer_revenues t join sales.customers k on k.id = t.customer_id
      where t.net_ore <> 0 order by t.net_ore desc, t.customer_id limit p_limit) c),
    'suppliers', (select coalesce(jsonb_agg(s order by s.ore desc, s.name), '[]') from (
      select c.counterparty as name, sum(c.cost_ore)::bigint as ore
      from ledger.supplier_costs c group by c.counterparty having sum(c.cost_ore) <> 0
      order by 2 desc, 1 limit p_limit) s),
    'liquidity', (select coalesce(jsonb_agg(l order by l.account), '[]') from (
      select b.account, a.name, sum(b.debit_ore - b.credit_ore)::bigint as ore
      from ledger.month_balances b join ledger.accounts a on a.number = b.account
      where b.account between 1900 and 1999 group by b.account, a.name) l),
    'receivables', (select coalesce(sum(i.open_ore), 0)::bigint from sales.invoices i
      where i.open_ore <> 0),
    'payables', (select coalesce(sum(b.credit_ore - b.debit_ore), 0)::bigint
      from ledger.month_balances b where b.account = 2440),
    'ledger_head', (select jsonb_build_object('vouchers', i.vouchers,
      'hash', encode(i.head_hash, 'hex')) from api.installation() i));
end $$;

-- GET /api/stats/daily: one row a day, days without events too.
create function api.daily_statistics(p_from date, p_to date)
returns table (day date, revenue_ore bigint, invoices bigint, unpaid_ore bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_unpaid bigint;
begin
  perform api.require_key('data:read');
  select coalesce(sum(i.open_ore), 0) into v_unpaid from sales.invoices i where i.open_ore <> 0;
  return query
    select d.day::date, coalesce(r.ore, 0)::bigint, coalesce(n.invoices, 0), v_unpaid
    from generate_series(p_from, p_to, interval '1 day') as d (day)
    left join (
      select v.day, sum(v.revenue_ore) as ore from ledger.day_revenues v
      where v.day between p_from and p_to group by v.day) as r on r.day = d.day
    left join (
      select i.invoice_date, count(*) as invoices from sales.invoices i
      where i.invoice_date between p_from and p_to and i.status <> 'draft' and i.kind = 'invoice'
      group by i.invoice_date) as n on n.invoice_date = d.day
    order by d.day;
end $$;

insert into ledger.day_revenues (series_id, day, revenue_ore)
select v.series_id, r.verification_date, sum(r.credit_ore - r.debit_ore)
from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
where r.account between 3000 and 3999 group by 1, 2;
insert into ledger.supplier_costs (series_id, counterparty, cost_ore)
select v.series_id, v.counterparty, sum(r.debit_ore - r.credit_ore)
from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
where r.account between 4000 and 7999 and v.counterparty is not null group by 1, 2;
insert into sales.customer_revenues (customer_id, net_ore)
select i.customer_id, sum(i.net_ore) from sales.invoices i
where i.status <> 'draft' and i.kind = 'invoice' group by 1;
insert into sales.article_revenues (article_number, account, net_ore)
select r.article_number, r.account, sum(r.net_ore)
from sales.invoice_rows r join sales.invoices i on i.id = r.invoice_id
where i.status <> 'draft' and i.kind = 'invoice' and r.article_number is not null group by 1, 2;
