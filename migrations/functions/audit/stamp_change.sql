-- When a row was last changed is what happened, and nobody's to say. Whoever loads a backup loads it as it was. The
-- transaction has its number before the clock is read: what has a later number was changed later
-- (api.changes_complete_until).
create or replace function audit.stamp_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' or session_user in ('hb_app', 'hb_worker') then
    perform pg_current_xact_id();
    new.updated_at := clock_timestamp();
  end if;
  return new;
end $$;
