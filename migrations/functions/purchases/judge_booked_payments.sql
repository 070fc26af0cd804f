create or replace function purchases.judge_booked_payments() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from (select distinct voucher_id from added) as v
      where (select coalesce(sum(p.amount_ore), 0) from purchases.payments p
          where p.voucher_id = v.voucher_id and p.account <> 2440)
        <> (select coalesce(sum(r.debit_ore - r.credit_ore), 0) from ledger.voucher_rows r
          where r.voucher_id = v.voucher_id and r.account = 2440)) then
    raise exception 'a payment is what its voucher books'
      using errcode = 'HB002', constraint = 'payments_are_booked';
  end if;
  return null;
end $$;
