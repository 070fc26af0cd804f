-- Tables that let nobody see a row: row level security is on, and no policy lets anything through. So it is
-- after a dump was restored where its roles were missing, and everything then reads as empty.
create or replace function api.unreadable_tables() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::integer from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('ledger', 'sales', 'purchases', 'proposals', 'bank', 'audit', 'archive', 'intake', 'restricted')
    and c.relkind = 'r' and c.relrowsecurity
    and not exists (select from pg_policy p where p.polrelid = c.oid)
$$;
