-- At the commit: a voucher that says it was imported is one of an import.
create or replace function ledger.require_import() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user <> 'hb_app' then return null; end if;
  if not exists (select from ledger.imported_vouchers i where i.voucher_id = new.id) then
    raise exception 'voucher % was imported from nothing', new.id
      using errcode = 'HB002', constraint = 'imports_have_their_vouchers';
  end if;
  return null;
end $$;
