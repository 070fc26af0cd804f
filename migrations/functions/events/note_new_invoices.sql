create or replace function events.note_new_invoices() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (epoch, type, subject)
  select (select c.epoch from events.clock c), 'invoice.drafted', i.id from added i
  where i.status = 'draft';
  return null;
end $$;
