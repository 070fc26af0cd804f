-- Years are closed in turn and reopened from the last one backwards, since each carries its balances into the next. The others
-- are held meanwhile: of two who change them at once, the later sees what the first has done.
create or replace function ledger.refuse_reopening_under_closed() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from after a join before b on b.id = a.id and b.status is distinct from a.status
    join ledger.fiscal_years y on y.id <> a.id for share of y;
  if exists (select from after a join before b on b.id = a.id
      join ledger.fiscal_years later on later.start_date > a.end_date and later.status = 'closed'
      where b.status = 'closed' and a.status = 'open') then
    raise exception 'a later fiscal year is closed'
      using errcode = 'HB004', constraint = 'fiscal_years_reopen_backwards';
  end if;
  if exists (select from after a join before b on b.id = a.id
      join ledger.fiscal_years earlier on earlier.end_date < a.start_date and earlier.status = 'open'
      where b.status = 'open' and a.status = 'closed') then
    raise exception 'an earlier fiscal year is open'
      using errcode = 'HB004', constraint = 'fiscal_years_close_in_turn';
  end if;
  return null;
end $$;
