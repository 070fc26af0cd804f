-- The events after a place. Only those that nothing still running can come before: a transaction that
-- commits later with a lower number would otherwise be passed over for ever.
create or replace function events.list_after(p_epoch integer, p_xid xid8, p_seq bigint, p_limit integer)
returns setof events.outbox language sql stable set search_path = pg_catalog, pg_temp as $$
  select o.* from events.outbox o
  where (o.epoch, o.xid, o.seq) > (p_epoch, p_xid, p_seq)
    and (o.epoch < events.current_epoch() or o.xid < pg_snapshot_xmin(pg_current_snapshot()))
  order by o.epoch, o.xid, o.seq limit p_limit
$$;
