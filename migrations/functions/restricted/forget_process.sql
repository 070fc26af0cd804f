-- A process that stops says so.
create or replace function restricted.forget_process(p_id uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.processes where id = p_id
$$;
