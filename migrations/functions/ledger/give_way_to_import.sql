-- An import holds the series it fills for as long as it takes. Whoever wants one of them meanwhile is refused
-- after a moment (55P03, which callers hear as 503 with Retry-After), and so holds up nobody behind it.
create or replace function ledger.give_way_to_import() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('huvudbok import', 0)) then
    perform set_config('lock_timeout', '700ms', true);
  end if;
end $$;
