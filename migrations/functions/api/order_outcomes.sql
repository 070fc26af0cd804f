-- How orders stand, for the calls that wait for them: the key again, because it may have been revoked
-- meanwhile. The order's invoice wins over the attempt's own fate: an order that has become an invoice is
-- answered with it, whatever body came later.
create or replace function api.order_outcomes(p_hash bytea[], p_order_id uuid[], p_attempt_id uuid[])
returns table (item integer, refusal text, status text, order_id uuid, external_id text,
  invoice_id uuid, customer_id uuid, attempt_id uuid, reason text, detail jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.item::integer, r.refusal,
    case when o.invoice_id is not null and a.status is distinct from 'duplicate'
      then 'draft' else a.status end,
    o.id, o.external_id, o.invoice_id, o.customer_id, a.id, a.reason, a.detail
  from restricted.intake_refusals(p_hash) r
  join unnest(p_order_id, p_attempt_id) with ordinality as i (order_id, attempt_id, item) on i.item = r.item
  left join intake.orders o on r.refusal is null and o.id = i.order_id
  left join intake.order_attempts a on a.order_id = o.id and a.id = i.attempt_id
$$;
