-- The same of a supplier's.
create or replace function purchases.remove_opening_invoice(p_id uuid) returns boolean language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  delete from purchases.invoices i where i.id = p_id and i.document_id is null
    and not i.is_by_hand;
  return found;
end $$;
