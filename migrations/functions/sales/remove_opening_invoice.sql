-- Takes back what was taken over by mistake. The series goes back too, when no invoice of its own has
-- followed. False when there is no such item.
create or replace function sales.remove_opening_invoice(p_id uuid) returns boolean language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_open bigint;
  v_number integer;
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  perform from sales.invoice_numbers for update;
  delete from sales.invoices i where i.id = p_id and i.source = 'opening'
    returning i.open_ore, i.number into v_open, v_number;
  if not found then return false; end if;
  update sales.receivables r set open_ore = r.open_ore - v_open;
  update sales.invoice_numbers n
  set last_number = greatest(1000, coalesce((select max(i.number) from sales.invoices i), 0))
  where n.last_number = v_number;
  return true;
end $$;
