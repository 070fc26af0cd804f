-- Files that were sent and that nobody asked for, a week after they came. Safe to run at any moment and any number of
-- times.
create or replace function bank.purge_files() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_files bigint;
begin
  delete from bank.imports i where i.finished_at is null and i.created_at < now() - interval '7 days';
  delete from bank.files f
  where f.created_at < now() - interval '7 days'
    and not exists (select from bank.import_files i where i.sha256 = f.sha256);
  get diagnostics v_files = row_count;
  return v_files;
end $$;
