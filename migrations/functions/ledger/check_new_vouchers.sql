-- A voucher comes with its rows in one statement (the trigger above has then proved them), and the
-- numbers of its series stay gapless: as many as they span, starting right after the last.
create or replace function ledger.check_new_vouchers() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_faulty text;
begin
  select batch.series into v_faulty
  from (
    select a.series_id, min(a.series) as series, min(a.number) as first, max(a.number) as last,
      count(*) as amount, bool_and(first_row.is_there is true) as has_rows
    from added a
    left join lateral (select true as is_there from ledger.voucher_rows r
      where r.voucher_id = a.id limit 1) as first_row on true
    group by a.series_id) as batch
  left join ledger.series s on s.id = batch.series_id and s.code = batch.series
  where s.id is null or not batch.has_rows or batch.last - batch.first + 1 <> batch.amount
    or batch.first - 1 <> coalesce((select max(v.number) from ledger.vouchers v
        where v.series_id = batch.series_id and v.number < batch.first), 0)
  limit 1;
  if found then
    raise exception 'series % would get a gap, or a voucher without rows', v_faulty
      using errcode = 'HB003', constraint = 'vouchers_are_gapless';
  end if;
  return null;
end $$;
