-- At the commit: what people and workers post as a supplier's invoice is the voucher of one.
create or replace function purchases.require_invoice() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user not in ('hb_app', 'hb_worker') then return null; end if;
  if not exists (select from purchases.invoices i where i.voucher_id = new.id) then
    raise exception 'voucher % is of no supplier invoice', new.id
      using errcode = 'HB002', constraint = 'supplier_vouchers_have_their_invoice';
  end if;
  return null;
end $$;
