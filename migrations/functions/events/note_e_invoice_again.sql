-- Judged anew, it may have become a draft: whoever follows the events looks again.
create or replace function events.note_e_invoice_again() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) values ('e_invoice.received', new.id);
  return null;
end $$;
