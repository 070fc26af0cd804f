-- What a row of the bank's books is documented by its statement from then on, and no longer when it is booked otherwise. Why
-- `except`: bank.guard_matches.
create or replace function bank.hold_documents() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_vouchers uuid[];
begin
  select array_agg(distinct changed.voucher_id) into v_vouchers from (
    (select id, voucher_id from after except select id, voucher_id from before)
    union all
    (select id, voucher_id from before except select id, voucher_id from after)) as changed
  where changed.voucher_id is not null;
  if v_vouchers is not null then
    perform ledger.hold_documents(v_vouchers, array(select bank.documented_by_statements(v_vouchers)));
  end if;
  return null;
end $$;
