-- What is paid is what its voucher moves on the account where it is owed, on its day and through the accounts that are
-- said. What is set off within 2440, a credit note against an invoice, lessens both alike, is all that its voucher moves
-- there, and is one supplier's.
create or replace function purchases.judge_booked_payments() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from (select distinct a.voucher_id, i.debt_account
        from added a join purchases.invoices i on i.id = a.invoice_id) as v
      where (select coalesce(sum(p.amount_ore), 0)
          from purchases.payments p join purchases.invoices i on i.id = p.invoice_id
          where p.voucher_id = v.voucher_id and i.debt_account = v.debt_account and p.account <> 2440)
        <> (select coalesce(sum(r.debit_ore - r.credit_ore), 0) from ledger.voucher_rows r
          where r.voucher_id = v.voucher_id and r.account = v.debt_account))
    or exists (select from added a join ledger.vouchers v on v.id = a.voucher_id where v.verification_date <> a.paid_on)
    or exists (select from added a where a.account <> 2440 and not exists (
      select from ledger.voucher_rows r where r.voucher_id = a.voucher_id and r.account = a.account)
      and (select sum(p.amount_ore) from purchases.payments p where p.voucher_id = a.voucher_id and p.account = a.account) <> 0)
    or exists (select from (select distinct voucher_id from added where account = 2440 and kind = 'set_off') as v
      cross join lateral (select sum(p.amount_ore) as ore, count(distinct i.supplier_id) as suppliers,
          count(i.supplier_id) as known, count(*) as payments,
          sum(p.amount_ore) filter (where p.amount_ore > 0) as lessened_ore,
          bool_and(p.account = 2440 and p.kind = 'set_off') as is_alone
        from purchases.payments p join purchases.invoices i on i.id = p.invoice_id
        where p.voucher_id = v.voucher_id) as given
      where not given.is_alone or given.ore <> 0 or given.suppliers <> 1 or given.known <> given.payments
        or given.lessened_ore <> (select coalesce(sum(r.debit_ore), 0) from ledger.voucher_rows r
          where r.voucher_id = v.voucher_id and r.account = 2440)) then
    raise exception 'a payment is what its voucher books'
      using errcode = 'HB002', constraint = 'payments_are_booked';
  end if;
  return null;
end $$;
