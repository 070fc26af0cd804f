-- What is undone is a payment, and what takes it back is its mirror: the same rows with the sides exchanged, and as much of
-- each document paid back. No row of the bank is booked by either. By these pairs vouchers are left out of what may book a
-- row, and of what stands open on an account.
create or replace function bank.judge_undone() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (
      select from sales.payments p where p.voucher_id = new.voucher_id
      union all select from purchases.payments p where p.voucher_id = new.voucher_id)
    or exists (
      select from (select p.invoice_id, p.kind, p.account, p.amount_ore from sales.payments p
          where p.voucher_id in (new.voucher_id, new.taken_back_by)
        union all select p.invoice_id, p.kind, p.account, p.amount_ore from purchases.payments p
          where p.voucher_id in (new.voucher_id, new.taken_back_by)) as paid
      group by paid.invoice_id, paid.kind, paid.account having sum(paid.amount_ore) <> 0)
    or exists (
      select from (select * from ledger.voucher_rows r where r.voucher_id = new.voucher_id) as undone
      full join (select * from ledger.voucher_rows r where r.voucher_id = new.taken_back_by) as back using (row_no)
      where (undone.account, undone.debit_ore, undone.credit_ore) is distinct from (back.account, back.credit_ore, back.debit_ore))
    or exists (select from bank.transactions t where t.voucher_id in (new.voucher_id, new.taken_back_by)) then
    raise exception 'voucher % does not take back the payment that % books', new.taken_back_by, new.voucher_id
      using errcode = 'HB002', constraint = 'undone_bookings_take_back';
  end if;
  return new;
end $$;
