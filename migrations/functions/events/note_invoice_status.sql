create or replace function events.note_invoice_status() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if old.status = 'draft' then
    insert into events.outbox (type, subject) values ('invoice.booked', new.id);
  end if;
  if new.status = 'paid' then
    insert into events.outbox (type, subject) values ('invoice.paid', new.id);
  end if;
  return null;
end $$;
