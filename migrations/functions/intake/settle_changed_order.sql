-- A person has seen to what was sent of an order after its invoice, of that moment: nothing that came since. False when
-- there is none, or somebody else has.
create or replace function intake.settle_changed_order(p_order_id uuid, p_received_at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.may('keep_books') then
    raise exception 'this role may not see to orders' using errcode = 'HB405';
  end if;
  update intake.changed_orders set seen_at = now(), seen_by = audit.actor('')
  where order_id = p_order_id and seen_at is null and date_trunc('milliseconds', received_at) = p_received_at;
  return found;
end $$;
