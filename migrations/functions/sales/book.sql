-- The same for invoices (sales.book_invoices).
create or replace function sales.book(
  p_invoice_id uuid[], p_voucher_id uuid[], p_actor text, p_row_item integer[], p_row_no integer[],
  p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[]
) returns table (item integer, number integer, ocr text, status text, error text, detail jsonb)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select b.item, b.number, b.ocr, b.status, b.error, b.detail
  from sales.book_invoices(p_invoice_id, p_voucher_id,
    array_fill(audit.actor(p_actor), array[cardinality(p_invoice_id)]),
    array_fill(null::uuid, array[cardinality(p_invoice_id)]), p_row_item, p_row_no, p_row_account,
    p_row_debit, p_row_credit) as b
$$;
