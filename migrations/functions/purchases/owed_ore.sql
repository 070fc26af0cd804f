-- What an invoice of a supplier was booked on: what its voucher left on 2440, or for one that was taken over
-- with the opening balance what it said.
create or replace function purchases.owed_ore(p_invoice purchases.invoices) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case
    when p_invoice.status <> 'booked' then 0
    when p_invoice.document_id is null then p_invoice.payable_ore
    else coalesce((select sum(r.credit_ore - r.debit_ore) from ledger.voucher_rows r
      where r.voucher_id = p_invoice.voucher_id and r.account = 2440), 0)::bigint end
$$;
