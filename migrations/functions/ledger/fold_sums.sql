-- Adds the parts of a series' sums from the first to before the last to what is folded (part 0). Whoever holds the series may:
-- nobody adds to a part whose vouchers are past.
create or replace function ledger.fold_sums(p_series_id uuid, p_first integer, p_before integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  with past as (
    delete from ledger.month_balances b
    where b.series_id = p_series_id and b.part >= p_first and b.part < p_before
    returning b.account, b.month, b.vat_code, b.is_beside_vat, b.debit_ore, b.credit_ore
  )
  insert into ledger.month_balances as b (series_id, part, account, month, vat_code, is_beside_vat, debit_ore, credit_ore)
  select p_series_id, 0, p.account, p.month, p.vat_code, p.is_beside_vat, sum(p.debit_ore), sum(p.credit_ore)
  from past p group by p.account, p.month, p.vat_code, p.is_beside_vat
  on conflict (series_id, part, account, month, vat_code, is_beside_vat) do update set
    debit_ore = b.debit_ore + excluded.debit_ore, credit_ore = b.credit_ore + excluded.credit_ore;
  with past as (
    delete from ledger.month_totals t
    where t.series_id = p_series_id and t.part >= p_first and t.part < p_before
    returning t.month, t.revenue_ore, t.costs_ore, t.goods_ore
  )
  insert into ledger.month_totals as t (series_id, part, month, revenue_ore, costs_ore, goods_ore)
  select p_series_id, 0, p.month, sum(p.revenue_ore), sum(p.costs_ore), sum(p.goods_ore) from past p group by p.month
  on conflict (series_id, part, month) do update set revenue_ore = t.revenue_ore + excluded.revenue_ore,
    costs_ore = t.costs_ore + excluded.costs_ore, goods_ore = t.goods_ore + excluded.goods_ore;
  with past as (
    delete from ledger.day_revenues d
    where d.series_id = p_series_id and d.part >= p_first and d.part < p_before
    returning d.day, d.revenue_ore
  )
  insert into ledger.day_revenues as d (series_id, part, day, revenue_ore)
  select p_series_id, 0, p.day, sum(p.revenue_ore) from past p group by p.day
  on conflict (series_id, part, day) do update set revenue_ore = d.revenue_ore + excluded.revenue_ore;
end $$;
