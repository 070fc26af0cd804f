-- The last event that nothing can come before any more; what comes after it is new.
create or replace function events.latest_place() returns table (epoch integer, xid xid8, seq bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(o.epoch, 0), coalesce(o.xid, '0'), coalesce(o.seq, 0)
  from (select) as one left join lateral (
    select o.epoch, o.xid, o.seq from events.outbox o
    where o.epoch < events.current_epoch() or o.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by o.epoch desc, o.xid desc, o.seq desc limit 1) as o on true
$$;
