-- Called with restricted.purge_expired by the worker that keeps the installation well.
create or replace function restricted.purge_begun_forms() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_count bigint;
begin
  delete from restricted.begun_forms
  where kept_at < now() - case when pairs is null then interval '3 days' else interval '30 days' end;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
