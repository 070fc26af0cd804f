-- A row of the bank has its voucher, or another than before. Why `except`: bank.guard_matches.
create or replace function events.note_matches() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject)
  select 'payment.matched', matched.id
  from (
    select id, voucher_id, booked_on from after where voucher_id is not null
    except select id, voucher_id, booked_on from before) as matched
  order by matched.booked_on, matched.id;
  return null;
end $$;
