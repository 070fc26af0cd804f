-- What is booked stays as it was booked, but for what is left to pay; what is rejected stays rejected.
create or replace function purchases.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.document_id is null and not old.is_by_hand and old.open_ore = old.payable_ore
      and not exists (select from purchases.payments p where p.invoice_id = old.id) then
      return old;
    end if;
  end if;
  if tg_op = 'TRUNCATE' or (old.status in ('booked', 'rejected') and (tg_op = 'DELETE'
      or to_jsonb(new) - '{open_ore,updated_at}'::text[]
        is distinct from to_jsonb(old) - '{open_ore,updated_at}'::text[])) then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
