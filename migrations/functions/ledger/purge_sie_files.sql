-- Files that were sent and never became anything in the books, a week after they came. Safe to run at any moment
-- and any number of times.
create or replace function ledger.purge_sie_files() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_files bigint;
begin
  delete from ledger.begun_imports b where b.created_at < now() - interval '7 days';
  delete from ledger.sie_files f
  where f.created_at < now() - interval '7 days'
    and not exists (select from ledger.imports i where i.sha256 = f.sha256)
    and not exists (select from ledger.begun_imports b where b.sha256 = f.sha256);
  get diagnostics v_files = row_count;
  return v_files;
end $$;
