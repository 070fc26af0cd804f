-- What an invoice of a supplier was booked on: what its voucher left on 2440, or an outlay's on the account of who
-- laid it out; for one that was taken over with the opening balance what it said. On 2018 nothing is owed.
create or replace function purchases.owed_ore(p_invoice purchases.invoices) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case
    when p_invoice.status <> 'booked' then 0
    when p_invoice.document_id is null and not p_invoice.is_by_hand then p_invoice.payable_ore
    when p_invoice.debt_account = 2018 then 0
    else coalesce((select sum(r.credit_ore - r.debit_ore) from ledger.voucher_rows r
      where r.voucher_id = p_invoice.voucher_id and r.account = p_invoice.debt_account), 0)::bigint end
$$;
