-- Orders that stopped and wait for a person.
create or replace function intake.count_stopped_orders(p_before timestamptz) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select count(*) from intake.orders o
  where o.invoice_id is null and not o.is_dismissed and o.created_at < p_before and exists (
    select from intake.order_attempts a where a.order_id = o.id and a.status = 'rejected')
$$;
