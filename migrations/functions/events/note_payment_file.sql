create or replace function events.note_payment_file() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) values ('payment_file.created', new.id);
  return null;
end $$;
