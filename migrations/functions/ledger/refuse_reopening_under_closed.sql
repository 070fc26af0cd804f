-- Years are reopened from the last one backwards, since each carries its balances into the next.
create or replace function ledger.refuse_reopening_under_closed() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from after a join before b on b.id = a.id
      join ledger.fiscal_years later on later.start_date > a.end_date and later.status = 'closed'
      where b.status = 'closed' and a.status = 'open') then
    raise exception 'a later fiscal year is closed'
      using errcode = 'HB004', constraint = 'fiscal_years_reopen_backwards';
  end if;
  return null;
end $$;
