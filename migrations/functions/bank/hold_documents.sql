-- What a row of the bank's books is documented by its statement from then on, and no longer when it is booked otherwise.
create or replace function bank.hold_documents() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_vouchers uuid[];
begin
  select array_agg(distinct changed.id) into v_vouchers
  from after n join before o using (id)
  cross join lateral (values (n.voucher_id), (o.voucher_id)) as changed (id)
  where n.voucher_id is distinct from o.voucher_id and changed.id is not null;
  if v_vouchers is not null then
    perform ledger.hold_documents(v_vouchers, array(select bank.documented_by_statements(v_vouchers)));
  end if;
  return null;
end $$;
