-- What shops send comes in, many at once: bytes, hash and job in one commit. An order that has its invoice is
-- not stored again, nor is a body that was stored before. Of a refund p_refund_key is its number, p_order_identity
-- what its order is known by.
create or replace function api.store_received(
  p_hash bytea[], p_kind text[], p_identity text[], p_external_id text[], p_refund_key text[],
  p_order_identity text[], p_raw bytea[], p_sha256 bytea[], p_order_id uuid[], p_attempt_id uuid[],
  p_request_id uuid[]
) returns table (item integer, outcome text, order_id uuid, attempt_id uuid, is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_outcome text[];
  v_new uuid[];
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(cardinality(p_hash), array_dims(p_hash), array_dims(p_kind), array_dims(p_identity),
    array_dims(p_external_id), array_dims(p_refund_key), array_dims(p_order_identity), array_dims(p_raw), array_dims(p_sha256), array_dims(p_order_id),
    array_dims(p_attempt_id), array_dims(p_request_id));
  -- As for vouchers: nothing is taken in after the key's revocation has committed.
  lock table restricted.api_keys in row share mode;
  select array_agg(r.key_id order by r.item), array_agg(r.refusal order by r.item)
  into v_key_id, v_outcome from restricted.intake_refusals(p_hash) r;

  insert into intake.orders (id, kind, identity, external_id, refund_key, order_identity)
  select distinct on (i.identity) i.id, i.kind, i.identity, i.external_id, i.refund_key, i.order_identity
  from unnest(p_order_id, p_kind, p_identity, p_external_id, p_refund_key, p_order_identity, v_outcome)
    with ordinality as i (id, kind, identity, external_id, refund_key, order_identity, outcome, item)
  where i.outcome is null order by i.identity, i.item
  on conflict (identity) do nothing;

  insert into intake.order_senders (key_id, order_id)
  select distinct i.key_id, o.id
  from unnest(v_key_id, p_identity, v_outcome) as i (key_id, identity, outcome)
  cross join lateral (select id from intake.orders where identity = i.identity limit 1) as o
  where i.outcome is null order by 2, 1
  on conflict do nothing;

  with added as (
    insert into intake.order_attempts (id, order_id, raw, sha256, key_id, request_id)
    select i.id, o.id, i.raw, i.sha256, i.key_id, i.request_id
    from unnest(p_attempt_id, p_identity, p_raw, p_sha256, v_key_id, p_request_id, v_outcome)
      with ordinality as i (id, identity, raw, sha256, key_id, request_id, outcome, item)
    cross join lateral (select * from intake.orders where identity = i.identity limit 1) as o
    where i.outcome is null and o.invoice_id is null
    order by o.id, i.item
    on conflict (order_id, sha256) do nothing
    returning id
  )
  select array_agg(id) into v_new from added;
  -- An order that has waited this long has lost its job (it lies in the dead letters): sending the order
  -- again gives it a new one. Judging it twice changes nothing.
  select v_new || array_agg(distinct a.id) into v_new
  from unnest(p_identity, p_sha256, v_outcome) as i (identity, sha256, outcome)
  cross join lateral (select id from intake.orders where identity = i.identity limit 1) as o
  cross join lateral (select id from intake.order_attempts
    where order_id = o.id and sha256 = i.sha256 and status = 'received'
      and received_at < now() - interval '5 minutes' limit 1) as a
  where i.outcome is null;
  if v_new is not null then
    perform intake.enqueue('order-intake',
      (select array_agg(jsonb_build_object('attemptId', n.id)) from unnest(v_new) as n (id)));
  end if;

  return query
    select i.item::integer, coalesce(i.outcome, 'stored'), o.id, a.id, a.id = i.attempt_id
    from unnest(v_outcome, p_identity, p_sha256, p_attempt_id) with ordinality
      as i (outcome, identity, sha256, attempt_id, item)
    left join lateral (select * from intake.orders
      where i.outcome is null and identity = i.identity limit 1) as o on true
    left join lateral (select * from intake.order_attempts
      where order_id = o.id and sha256 = i.sha256 limit 1) as a on true;
end $$;
