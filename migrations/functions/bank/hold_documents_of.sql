-- Of what takes a payment back, and of what sets documents off: both are known when the row is written. Arguments: the
-- columns that name vouchers.
create or replace function bank.hold_documents_of() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_vouchers constant uuid[] := array(select (to_jsonb(new) ->> name)::uuid from unnest(tg_argv) as name);
begin
  perform ledger.hold_documents(v_vouchers, array(select bank.documented_by_statements(v_vouchers)));
  return null;
end $$;
