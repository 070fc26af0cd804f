-- What else the database knows, a line each; null where nothing is known yet.
create or replace function restricted.figures() returns table (name text, value double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select 'events_behind_seconds', coalesce(max(extract(epoch from now() - o.occurred_at)), 0)
    from events.endpoints e
    cross join lateral (select x.occurred_at
      from events.list_after(e.after_epoch, e.after_xid, e.after_seq, 1) as x) as o
    where e.disabled_at is null
  union all
  select 'deliveries_pending', count(*) from events.deliveries d where d.state = 'pending'
  union all
  select 'deliveries_oldest_seconds', coalesce(extract(epoch from now() - min(d.created_at)), 0)
    from events.deliveries d where d.state = 'pending'
  union all
  select 'endpoints_disabled', count(*) from events.endpoints e where e.disabled_at is not null
  union all
  select 'verification_timestamp_seconds', extract(epoch from v.finished_at)
    from (select max(v.finished_at) as finished_at from audit.verifications v) as v
  union all
  select 'verification_problems', (select jsonb_array_length(v.problems)
    from audit.verifications v order by v.finished_at desc limit 1)
  union all
  select f.name, f.value from api.last_backup() as l
    cross join lateral (values
      ('backup_timestamp_seconds', extract(epoch from l.taken_at)::double precision),
      ('backup_verified_timestamp_seconds', extract(epoch from l.verified_at)),
      ('backup_size_bytes', l.size_bytes),
      ('backup_problems', l.problems),
      ('backup_failed', l.has_failed::integer)) as f (name, value)
  union all
  select 'database_size_bytes', pg_database_size(current_database())
  union all
  select 'database_connections', count(*) from pg_stat_activity a
    where a.backend_type = 'client backend'
  union all
  select 'database_connections_max', current_setting('max_connections')::double precision
$$;
