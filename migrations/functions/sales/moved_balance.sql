-- What an account brought from the program before: its balance at the end of the last day there, without what
-- invoices and payments of our own have put on it (nothing hinders an invoice of that day, also when that program
-- has been left). Null when the books began here.
create or replace function sales.moved_balance(p_account integer) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select ledger.balance_at(p_account, c.moved_on) - (
    select coalesce(sum(r.debit_ore - r.credit_ore), 0)
    from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
    where v.verification_date <= c.moved_on and r.account = p_account
      and v.source in ('invoice', 'reminder', 'payment', 'supplier_invoice', 'supplier_payment',
        'purchase_by_hand'))::bigint
  from restricted.company c where c.moved_on is not null
$$;
