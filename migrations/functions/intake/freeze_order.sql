-- An order that has become an invoice is that one's; only a draft that a person wrote for it may go again, and so may the
-- draft of a credit note that a refund has become. Held first: whoever books it meanwhile is waited for, and then seen.
create or replace function intake.freeze_order() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from sales.invoices i where i.id = old.invoice_id for key share;
  if new.invoice_id is null and exists (select from sales.invoices i
      where i.id = old.invoice_id and i.status = 'draft' and (i.source = 'app' or old.kind = 'refund')) then
    return new;
  end if;
  raise exception 'what an order has become is never changed'
    using errcode = 'HB001', constraint = 'orders_keep_their_invoice';
end $$;
