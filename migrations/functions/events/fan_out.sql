-- Gives every endpoint the deliveries of the events it has not been given. One that has much outstanding
-- waits: the events are kept anyway. How many events were gone through; more may remain.
create or replace function events.fan_out(p_page integer, p_outstanding_max integer) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  e events.endpoints;
  v_events events.outbox[];
  v_last events.outbox;
  v_count integer := 0;
begin
  for e in
    select * from events.endpoints where disabled_at is null order by id for update skip locked
  loop
    continue when (select count(*) from (
      select from events.deliveries d where d.endpoint_id = e.id and d.state = 'pending'
      limit p_outstanding_max) as outstanding) >= p_outstanding_max;
    v_events := array(
      select o from events.list_after(e.after_epoch, e.after_xid, e.after_seq, p_page) o
      order by o.epoch, o.xid, o.seq);
    continue when cardinality(v_events) = 0;
    insert into events.deliveries (endpoint_id, event_id, type, subject, occurred_at)
    select e.id, events.id_of(o), o.type, o.subject, o.occurred_at from unnest(v_events) o
    where e.types = '{}' or o.type = any (e.types);
    v_last := v_events[cardinality(v_events)];
    update events.endpoints
    set after_epoch = v_last.epoch, after_xid = v_last.xid, after_seq = v_last.seq where id = e.id;
    v_count := v_count + cardinality(v_events);
  end loop;
  return v_count;
end $$;
