-- Has a worker book the rows that are exact, where the company has said so, whatever way they came. A job that waits does
-- for all that comes: it is held until commit, so that no worker begins before it can see these.
create or replace function bank.ask_for_booking() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from restricted.company c where c.bank_booking_is_automatic) then
    return null;
  end if;
  perform from pgboss.job j where j.name = 'bank-booking' and j.state = 'created' limit 1 for share skip locked;
  if not found then
    perform intake.enqueue('bank-booking', array['{}'::jsonb]);
  end if;
  return null;
end $$;
