-- New rows are many and come with their draft: one look at the invoices they belong to. Rows join drafts;
-- an item that was taken over with the opening balance gets all of its rows at once, and never more. A row has amounts in
-- the invoice's own currency where that is not kronor, and nowhere else.
create or replace function sales.check_new_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where i.status <> 'draft' and (i.source <> 'opening' or exists (
        select from sales.invoice_rows r where r.invoice_id = i.id and not exists (
          select from added o where o.invoice_id = r.invoice_id and o.row_no = r.row_no)))) then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where (a.currency_net is null) <> (i.currency = 'SEK')) then
    raise exception 'a row of an invoice is in the currency of the invoice'
      using errcode = 'HB002', constraint = 'invoice_rows_are_in_its_currency';
  end if;
  return null;
end $$;
