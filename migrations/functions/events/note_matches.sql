-- A row of the bank has its voucher, or another than before.
create or replace function events.note_matches() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject)
  select 'payment.matched', n.id from after n join before o using (id)
  where n.voucher_id is not null and n.voucher_id is distinct from o.voucher_id
  order by n.booked_on, n.id;
  return null;
end $$;
