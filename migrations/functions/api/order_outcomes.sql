-- How orders stand, for the calls that wait for them: the key again, because it may have been revoked
-- meanwhile. The order's invoice wins over the attempt's own fate: an order that has become an invoice is
-- answered with it, whatever body came later.
create or replace function api.order_outcomes(p_hash bytea[], p_order_id uuid[], p_attempt_id uuid[])
returns table (item integer, refusal text, status text, order_id uuid, external_id text,
  invoice_id uuid, customer_id uuid, attempt_id uuid, reason text, detail jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select i.item::integer, key.refusal,
    case when o.invoice_id is not null and a.status is distinct from 'duplicate'
      then 'draft' else a.status end,
    o.id, o.external_id, o.invoice_id, o.customer_id, a.id, a.reason, a.detail
  from unnest(p_hash, p_order_id, p_attempt_id) with ordinality
    as i (hash, order_id, attempt_id, item)
  left join restricted.api_keys k on k.hash = i.hash
  cross join lateral (select case
      when k.id is null or k.expires_at <= now() then 'unauthorized'
      when k.revoked_at is not null then 'key_revoked'
      when not 'intake:write' = any (k.scopes) then 'insufficient_scope' end as refusal) as key
  left join intake.orders o on key.refusal is null and o.id = i.order_id
  left join intake.order_attempts a on a.order_id = o.id and a.id = i.attempt_id
$$;
