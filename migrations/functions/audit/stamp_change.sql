-- When a row was last changed is what happened, and nobody's to say. Whoever loads a backup loads it as it was.
create or replace function audit.stamp_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' or session_user in ('hb_app', 'hb_worker') then new.updated_at := clock_timestamp(); end if;
  return new;
end $$;
