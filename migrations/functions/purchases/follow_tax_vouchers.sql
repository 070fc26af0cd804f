-- Most vouchers are posted while no file asks the bank for tax, and cost no more than that is seen.
create or replace function purchases.follow_tax_vouchers() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from purchases.payout_parts t where t.is_live and t.tax is not null) then
    perform purchases.pay_taxes_by(array(select distinct a.voucher_id from added a));
  end if;
  return null;
end $$;
