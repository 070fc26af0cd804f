-- The overview's figures, in one snapshot and öre; rounding is the caller's. p_limit: how many of each
-- kind are named. p_today: results are counted to the end of its month; balances are as they stand.
-- What is still to come is looked for between two days: of `>=` a plan made for any day (force_generic_plan)
-- thinks that it brings a third of the books, and reads all rows of the costs for the one that there is.
create or replace function ledger.overview_figures(p_limit integer, p_today date) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  c_next_month constant date := date_trunc('month', p_today) + interval '1 month';
  v_answer jsonb;
begin
  with balance as materialized (
    select b.account, sum(b.debit_ore - b.credit_ore)::bigint as ore from ledger.month_balances b
    where (b.account between 1900 and 1999 or b.account = 2440 or b.account between 3000 and 3999)
      and (b.account < 3000 or b.month < c_next_month)
    group by b.account
  ), coming_invoice as materialized (
    select i.id, i.customer_id, case i.kind when 'invoice' then 1 else -1 end as sign, i.net_ore
    from sales.invoices i
    where i.status <> 'draft' and i.invoice_date between c_next_month and 'infinity'
  ), coming_article as (
    select r.article_number, r.account, sum(i.sign * r.net_ore) as ore
    from coming_invoice i join sales.invoice_rows r on r.invoice_id = i.id
    where r.article_number is not null group by 1, 2
  ), coming_customer as materialized (
    select i.customer_id, sum(i.sign * i.net_ore) as ore from coming_invoice i group by 1
  ), coming_cost as materialized (
    select v.counterparty, sum(r.debit_ore - r.credit_ore) as ore
    from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
    where v.verification_date between c_next_month and 'infinity' and v.counterparty is not null
      and r.account between 4000 and 7999
    group by 1
  ), article as materialized (
    select a.article_number, a.account, a.net_ore - coalesce(c.ore, 0) as ore
    from sales.article_revenues a left join coming_article c using (article_number, account)
  ), service as (
    select a.article_number as article, null::integer as account,
      coalesce(min(r.description), a.article_number) as name, sum(a.ore)::bigint as ore
    from article a left join sales.articles r on r.number = a.article_number
    group by a.article_number
    union all
    select null, b.account, n.name, -b.ore - coalesce((select sum(a.ore)
      from article a where a.account = b.account), 0)::bigint
    from balance b join ledger.accounts n on n.number = b.account
    where b.account between 3000 and 3999
  ), named_service as (
    select * from service where ore <> 0 order by ore desc, article, account limit p_limit
  ), customer as (
    -- Most have nothing to come: the largest of those are found by the index.
    (select t.customer_id as id, t.net_ore as ore from sales.customer_revenues t
      where t.net_ore <> 0 and t.customer_id <> all (array(select c.customer_id from coming_customer c))
      order by t.net_ore desc, t.customer_id limit p_limit)
    union all
    select t.customer_id, (t.net_ore - c.ore)::bigint
    from coming_customer c join sales.customer_revenues t using (customer_id) where t.net_ore <> c.ore
  ), named_customer as (
    select c.id, k.name, c.ore from customer c join sales.customers k on k.id = c.id
    order by c.ore desc, c.id limit p_limit
  ), supplier as (
    (select s.counterparty as name, sum(s.cost_ore)::bigint as ore from ledger.supplier_costs s
      where s.counterparty <> all (array(select c.counterparty from coming_cost c))
      group by 1 having sum(s.cost_ore) <> 0 order by 2 desc, 1 limit p_limit)
    union all
    select c.counterparty, (sum(s.cost_ore) - c.ore)::bigint
    from coming_cost c join ledger.supplier_costs s using (counterparty)
    group by c.counterparty, c.ore having sum(s.cost_ore) <> c.ore
  ), named_supplier as (
    select * from supplier order by ore desc, name limit p_limit
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
    'customers', (select coalesce(jsonb_agg(c order by c.ore desc, c.id), '[]') from named_customer c),
    'suppliers', (select coalesce(jsonb_agg(s order by s.ore desc, s.name), '[]') from named_supplier s),
    'liquidity', (select coalesce(jsonb_agg(m order by m.account), '[]') from money m),
    'receivables', (select r.open_ore from sales.receivables r),
    'payables', coalesce((select -b.ore from balance b where b.account = 2440), 0),
    'ledger_head', (select jsonb_build_object('vouchers', h.vouchers, 'hash', encode(h.hash, 'hex'))
      from ledger.head() h))
  into v_answer;
  return v_answer;
end $$;
