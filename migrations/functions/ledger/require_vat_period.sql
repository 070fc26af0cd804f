-- At the commit: what is posted as a settlement of VAT moves VAT and its öre, whoever posts it, since no box of the return
-- counts any row of it; and what people post so settles a period, or stands in place of one that did.
create or replace function ledger.require_vat_period() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from ledger.voucher_rows r where r.voucher_id = new.id
      and r.account not between 2610 and 2650 and r.account <> 3740) then
    raise exception 'voucher % moves other than VAT', new.id
      using errcode = 'HB002', constraint = 'vat_vouchers_move_vat';
  end if;
  if session_user <> 'hb_app' then return null; end if;
  if not exists (select from ledger.vat_settlements s where s.voucher_id = new.id)
    and not exists (select from ledger.corrections c join ledger.vouchers v on v.id = c.corrected_id
      where c.replacement_id = new.id and v.source = 'vat') then
    raise exception 'voucher % settles the VAT of no period', new.id
      using errcode = 'HB002', constraint = 'vat_vouchers_have_their_period';
  end if;
  return null;
end $$;
