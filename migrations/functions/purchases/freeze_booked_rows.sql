-- The rows of a booked invoice stay as they were booked. Held first: whoever books it meanwhile is waited for, and then seen.
create or replace function purchases.freeze_booked_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'TRUNCATE' then
    perform from purchases.invoices i where i.id in (old.invoice_id, new.invoice_id) order by i.id for key share;
  end if;
  if tg_op = 'TRUNCATE' or exists (select from purchases.invoices i
      where i.id in (old.invoice_id, new.invoice_id) and i.status in ('booked', 'rejected')) then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
