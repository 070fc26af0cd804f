create or replace function events.note_rejected_order() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) values ('order.rejected', new.id);
  return null;
end $$;
