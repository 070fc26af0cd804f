-- POST /api/inbound/avstamning: what became of the refunds that this very key sent, or one that was rotated into it.
-- What became of one is told only of orders that the same key sent: nobody hears what else there is.
create or replace function api.reconcile_refunds(p_refund_key text[])
returns table (refund_key text, external_id text, status text, reason text, invoice_id uuid, received_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_first uuid := restricted.sender();
begin
  return query
    select r.refund_key, substr(r.order_identity, 4),
      case when not own.is_order then 'received' when r.invoice_id is not null then 'draft' else a.status end,
      case when own.is_order and r.invoice_id is null then a.reason end,
      case when own.is_order then r.invoice_id end, a.received_at
    from intake.orders r
    cross join lateral (select * from intake.order_attempts where order_id = r.id
      order by received_at desc, id desc limit 1) as a
    cross join lateral (select exists (select from intake.orders o join intake.order_senders s on s.order_id = o.id
      where o.identity = r.order_identity and restricted.first_key(s.key_id) = v_first) as is_order) as own
    where r.refund_key = any (p_refund_key) and exists (select from intake.order_senders s
      where s.order_id = r.id and restricted.first_key(s.key_id) = v_first)
    order by a.received_at, a.id;
end $$;
