create or replace function events.note_received_e_invoices() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (epoch, type, subject)
  select (select c.epoch from events.clock c), 'e_invoice.received', a.id from added a;
  return null;
end $$;
