-- A person says that a supplier's invoice is not ours, and why.
create or replace function purchases.reject(p_id uuid, p_reason text, p_actor text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  update purchases.invoices i set status = 'rejected', rejection = p_reason,
    decided_at = clock_timestamp(), decided_by = audit.actor(p_actor)
  where i.id = p_id;
end $$;
