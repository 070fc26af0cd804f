-- Writes down how far the present epoch has come: before its events are cleared away, and at its end.
create or replace function events.keep_last_place() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update events.epochs e set last_xid = o.xid, last_seq = o.seq
  from (select max(epoch) as epoch from events.epochs) as present
  cross join lateral (select o.xid, o.seq from events.outbox o where o.epoch = present.epoch
    order by o.xid desc, o.seq desc limit 1) as o
  where e.epoch = present.epoch and (e.last_xid, e.last_seq) < (o.xid, o.seq)
$$;
