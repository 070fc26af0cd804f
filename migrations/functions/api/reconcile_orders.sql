-- POST /api/inbound/avstamning: what became of the orders that this very key sent, or one that was rotated into it.
create or replace function api.reconcile_orders(p_identity text[], p_sha256 bytea[])
returns table (identity text, sha256 text, status text, order_id uuid, invoice_id uuid,
  customer_id uuid, reason text, received_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_first uuid := restricted.sender();
begin
  return query
    select o.identity, encode(a.sha256, 'hex'),
      case when o.invoice_id is not null then 'draft' else a.status end, o.id, o.invoice_id,
      o.customer_id, case when o.invoice_id is null then a.reason end, a.received_at
    from intake.order_attempts a
    join intake.orders o on o.id = a.order_id
    where o.kind = 'order' and exists (select from intake.order_senders s
        where s.order_id = a.order_id and restricted.first_key(s.key_id) = v_first)
      and (o.identity = any (p_identity) or a.sha256 = any (p_sha256))
    order by a.received_at, a.id;
end $$;
