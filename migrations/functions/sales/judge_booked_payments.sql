-- What payments say is what their voucher books, on its day and through the accounts they say: an invoice is never paid by a
-- voucher of something else, or twice by the same one. What an older payment brought through the account itself moved
-- nothing on it, and is taken back so.
create or replace function sales.judge_booked_payments() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from (select distinct voucher_id from added) as v
      where (select coalesce(sum(p.amount_ore), 0) from sales.payments p
          where p.voucher_id = v.voucher_id and p.account <> 1510)
        <> (select coalesce(sum(r.credit_ore - r.debit_ore), 0) from ledger.voucher_rows r
          where r.voucher_id = v.voucher_id and r.account = 1510))
    or exists (select from added a join ledger.vouchers v on v.id = a.voucher_id where v.verification_date <> a.payment_date)
    or exists (select from added a where a.account <> 1510 and not exists (
      select from ledger.voucher_rows r where r.voucher_id = a.voucher_id and r.account = a.account)
      and (select sum(p.amount_ore) from sales.payments p where p.voucher_id = a.voucher_id and p.account = a.account) <> 0) then
    raise exception 'a payment is what its voucher books'
      using errcode = 'HB002', constraint = 'payments_are_booked';
  end if;
  return null;
end $$;
