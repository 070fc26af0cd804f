-- What became of invoices that were changed together, in the order of their numbers.
create or replace function events.note_invoice_status() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (epoch, type, subject)
  select (select c.epoch from events.clock c), told.type, a.id
  from after a join before b on b.id = a.id and b.status <> a.status
  cross join lateral (values (1, 'invoice.booked', b.status = 'draft'), (2, 'invoice.paid', a.status = 'paid'))
    as told (place, type, holds)
  where told.holds order by a.number, told.place;
  return null;
end $$;
