create or replace function events.note_rejected_order() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject)
  select 'order.rejected', new.id from intake.orders o where o.id = new.order_id and o.kind = 'order';
  return null;
end $$;
