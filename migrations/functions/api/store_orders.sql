-- As programs of before know it: orders alone (api.store_received).
create or replace function api.store_orders(
  p_hash bytea[], p_identity text[], p_external_id text[], p_raw bytea[], p_sha256 bytea[],
  p_order_id uuid[], p_attempt_id uuid[], p_request_id uuid[]
) returns table (item integer, outcome text, order_id uuid, attempt_id uuid, is_new boolean)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select r.item, r.outcome, r.order_id, r.attempt_id, r.is_new
  from api.store_received(p_hash, array_fill('order'::text, array[cardinality(p_hash)]), p_identity,
    p_external_id, array_fill(null::text, array[cardinality(p_hash)]),
    array_fill(null::text, array[cardinality(p_hash)]), p_raw, p_sha256, p_order_id, p_attempt_id, p_request_id) r
$$;
