-- What became of invoices that were changed together, in the order of their numbers. Why `except`: bank.guard_matches.
create or replace function events.note_invoice_status() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (epoch, type, subject)
  select (select c.epoch from events.clock c), told.type, told.id
  from (
    select 1 as place, 'invoice.booked' as type, booked.id, booked.number
    from (
      select id, number from after where status <> 'draft'
      except select id, number from before where status <> 'draft') as booked
    union all
    select 2, 'invoice.paid', paid.id, paid.number
    from (
      select id, number from after where status = 'paid'
      except select id, number from before where status = 'paid') as paid) as told
  order by told.number, told.place;
  return null;
end $$;
