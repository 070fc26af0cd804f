-- A body that is rejected after its order was dismissed is news: somebody must look again.
create or replace function intake.reopen_order() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  update intake.orders set is_dismissed = false where id = new.order_id and is_dismissed;
  return null;
end $$;
