-- Every queue as it stands, and what its workers did in the latest minute together: jobs handled, seconds
-- at work, and how many of them there are room for at a time.
create or replace function restricted.queue_figures()
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
