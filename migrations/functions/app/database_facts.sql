-- The database itself. What a role may not see of others' transactions is null.
create or replace function app.database_facts()
returns table (version text, size_bytes bigint, connections integer, connections_max integer,
  longest_seconds integer, longest_by text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform app.require_administrator();
  return query
    select current_setting('server_version'), pg_database_size(current_database()),
      (select count(*)::integer from pg_stat_activity a where a.datname = current_database()),
      current_setting('max_connections')::integer, l.seconds, l.name
    from (select 1) as one
    left join lateral (
      select extract(epoch from clock_timestamp() - a.xact_start)::integer as seconds,
        coalesce(nullif(a.application_name, ''), a.usename::text) as name
      from pg_stat_activity a
      where a.datname = current_database() and a.xact_start is not null
        and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
      order by a.xact_start limit 1) as l on true;
end $$;
