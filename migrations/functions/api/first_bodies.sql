-- What orders and refunds that have become an invoice were sent with, for whoever sends others under the same number: only
-- for the key that sent the first, or one that was rotated into it, since a key learns nothing of what others sent. Of a
-- refund only when its order is the key's too: that it became a credit note says that the order was booked.
create or replace function api.first_bodies(p_hash bytea[], p_order_id uuid[])
returns table (item integer, refusal text, body bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.item::integer, r.refusal, f.raw
  from restricted.intake_refusals(p_hash) r
  join unnest(p_order_id) with ordinality as i (order_id, item) on i.item = r.item
  left join lateral (
    select a.raw from intake.orders o join intake.order_attempts a on a.order_id = o.id
    where r.refusal is null and o.id = i.order_id and o.invoice_id is not null and a.status = 'draft'
      and restricted.first_key(a.key_id) = restricted.first_key(r.key_id)
      and (o.kind = 'order' or exists (select from intake.orders sold join intake.order_senders s on s.order_id = sold.id
        where sold.identity = o.order_identity and restricted.first_key(s.key_id) = restricted.first_key(r.key_id)))
    order by a.decided_at desc limit 1) as f on true
$$;
