-- A return that was filed stays as it was: what is ever said of it is that it was noted by mistake, of the latest alone. What
-- mended it then waits for another.
create or replace function ledger.guard_vat_return() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' or old.withdrawn_at is not null or new.withdrawn_at is null
    or to_jsonb(new) - 'withdrawn_at' - 'withdrawn_by' <> to_jsonb(old) - 'withdrawn_at' - 'withdrawn_by'
    or exists (select from ledger.vat_returns r where r.period_end = old.period_end and r.number > old.number
      and r.withdrawn_at is null) then
    raise exception 'a filed return stays as it was' using errcode = 'HB002', constraint = 'vat_returns_stay';
  end if;
  new.withdrawn_at := clock_timestamp();
  new.withdrawn_by := audit.actor(new.withdrawn_by);
  update ledger.vat_assignments a set return_number = null
  where a.period_end = old.period_end and a.return_number = old.number;
  return new;
end $$;
