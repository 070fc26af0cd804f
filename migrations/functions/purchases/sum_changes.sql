-- Adds to what is owed to suppliers (2440) as each voucher's month ended. By series, since whoever posts holds one until commit: two never
-- wait for each other here.
create or replace function purchases.sum_changes(p_voucher_ids uuid[], p_ore bigint[]) returns void
language sql set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
  insert into purchases.payable_changes as c (series_id, month, ore)
  select v.series_id, date_trunc('month', v.verification_date)::date, sum(u.ore)
  from unnest(p_voucher_ids, p_ore) as u (voucher_id, ore)
  cross join lateral (select * from ledger.vouchers where id = u.voucher_id limit 1) as v
  group by 1, 2 order by 1, 2
  on conflict (month, series_id) do update set ore = c.ore + excluded.ore
$$;
