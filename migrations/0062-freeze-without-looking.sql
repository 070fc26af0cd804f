-- Who books needs no right to see payments: whether something has happened to what was taken over is asked
-- only when it is deleted (one condition asks for the rights of all its parts). Functions only.

create or replace function sales.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.source = 'opening' and old.open_ore = old.total_ore
      and not exists (select from sales.payments p where p.invoice_id = old.id)
      and not exists (select from sales.reminders r where r.invoice_id = old.id)
      and not exists (select from sales.invoices c where c.credited_invoice_id = old.id) then
      return old;
    end if;
  end if;
  if tg_op = 'TRUNCATE' or (old.status <> 'draft' and (tg_op = 'DELETE' or new.status = 'draft'
      or to_jsonb(new) - '{status,open_ore}'::text[]
        is distinct from to_jsonb(old) - '{status,open_ore}'::text[])) then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;

create or replace function purchases.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.document_id is null and old.open_ore = old.payable_ore
      and not exists (select from purchases.payments p where p.invoice_id = old.id) then
      return old;
    end if;
  end if;
  if tg_op = 'TRUNCATE' or (old.status in ('booked', 'rejected') and (tg_op = 'DELETE'
      or to_jsonb(new) - 'open_ore' is distinct from to_jsonb(old) - 'open_ore')) then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
