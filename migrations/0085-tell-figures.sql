-- What an installation tells of itself to those who watch it (GET /metrics). One column; functions.

-- By queue: how long the process was at work in the latest minute, and at how much at a time it can be:
-- {"order-intake": {"busy_ms": 5200, "slots": 2}}.
alter table restricted.processes add column work jsonb not null default '{}';

-- A program from before gives no p_work and goes on as it did.
drop function restricted.note_process(uuid, text, integer, text[], text, timestamptz, jsonb);
create function restricted.note_process(p_id uuid, p_host text, p_pid integer, p_parts text[],
  p_version text, p_started_at timestamptz, p_handled jsonb, p_work jsonb default '{}') returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into restricted.processes as p (id, host, pid, parts, version, started_at, handled, work)
  values (p_id, left(p_host, 300), p_pid, p_parts, p_version, p_started_at, p_handled, p_work)
  on conflict (id) do update
    set seen_at = now(), handled = excluded.handled, work = excluded.work;
  delete from restricted.processes where seen_at < now() - interval '1 day';
end $$;

-- Every queue as it stands, and what its workers did in the latest minute together: jobs handled, seconds
-- at work, and how many of them there are room for at a time.
create function restricted.queue_figures()
returns table (queue text, waiting bigint, oldest_seconds double precision, active bigint, dead bigint,
  handled double precision, busy_seconds double precision, slots bigint, processes bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select q.name, w.waiting, coalesce(w.oldest_seconds, 0), a.active, d.dead, h.handled, h.busy_seconds,
    h.slots, h.processes
  from pgboss.queue q
  cross join lateral (select count(*) as waiting,
      extract(epoch from clock_timestamp() - min(j.created_on))::double precision as oldest_seconds
    from pgboss.job j where j.name = q.name and j.state < 'active' and not j.blocked
      and j.start_after <= now()) as w
  cross join lateral (select count(*) as active from pgboss.job j
    where j.name = q.name and j.state = 'active') as a
  cross join lateral (select count(*) as dead from pgboss.job j
    where j.name = q.dead_letter and j.state < 'active' and not j.blocked) as d
  cross join lateral (select coalesce(sum((p.handled ->> q.name)::double precision), 0) as handled,
      coalesce(sum((p.work -> q.name ->> 'busy_ms')::double precision), 0) / 1000 as busy_seconds,
      coalesce(sum((p.work -> q.name ->> 'slots')::integer), 0) as slots,
      count(*) as processes
    from restricted.processes p
    where p.seen_at > now() - interval '45 seconds' and p.work ? q.name) as h
  where q.dead_letter is not null
$$;

-- What else the database knows, a line each; null where nothing is known yet.
create function restricted.figures() returns table (name text, value double precision)
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
  select 'backup_timestamp_seconds', (select extract(epoch from e.subject::timestamptz)
    from audit.events e where e.action = 'backup.done' order by e.occurred_at desc, e.id desc limit 1)
  union all
  select 'database_size_bytes', pg_database_size(current_database())
  union all
  select 'database_connections', count(*) from pg_stat_activity a
    where a.backend_type = 'client backend'
  union all
  select 'database_connections_max', current_setting('max_connections')::double precision
$$;
