-- The same of our own invoices, which are settled already.
create or replace function sales.judge_payment_vouchers() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join ledger.vouchers v on v.id = a.voucher_id
      where v.source <> 'payment') then
    raise exception 'a payment is what its voucher books'
      using errcode = 'HB002', constraint = 'payments_are_booked';
  end if;
  return null;
end $$;
