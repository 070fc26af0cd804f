-- Has a worker book the rows that are exact, where the company has said so, whatever way they came.
create or replace function bank.ask_for_booking() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from restricted.company c where c.bank_booking_is_automatic) then
    perform intake.enqueue('bank-booking', array['{}'::jsonb]);
  end if;
  return null;
end $$;
