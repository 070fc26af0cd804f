create or replace function events.note_received_orders() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (epoch, type, subject)
  select (select c.epoch from events.clock c), 'order.received', a.id from added a
  cross join lateral (select kind from intake.orders where id = a.order_id limit 1) as o
  where o.kind = 'order';
  return null;
end $$;
