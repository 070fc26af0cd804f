-- Frozen is everything but what payments and credits move: a column that is added later is frozen until
-- somebody decides otherwise. What was taken over by mistake may go while nothing has happened to it; that
-- is asked only when it is deleted, since one condition asks for the rights of all its parts, and who books
-- needs no right to see payments.
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
      or to_jsonb(new) - '{status,open_ore,updated_at}'::text[]
        is distinct from to_jsonb(old) - '{status,open_ore,updated_at}'::text[])) then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
