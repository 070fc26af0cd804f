-- Keeps, for people, what was sent under the number of an order that has become an invoice, in place of what was kept of
-- it before: only from the key that sent the first, as for api.first_bodies. The same again changes nothing.
create or replace function api.note_changed_order(p_hash bytea, p_order_id uuid, p_raw bytea, p_fields text[],
  p_request_id uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into intake.changed_orders as c (order_id, key_id, request_id, raw, fields)
  select p_order_id, r.key_id, p_request_id, p_raw, array(select left(f, 100) from unnest(p_fields[1:50]) f)
  from restricted.intake_refusals(array[p_hash]) r
  where r.refusal is null
    and exists (select from api.first_bodies(array[p_hash], array[p_order_id]) b where b.body <> p_raw)
  on conflict (order_id) do update set key_id = excluded.key_id, request_id = excluded.request_id, received_at = now(),
    raw = excluded.raw, fields = excluded.fields, seen_at = null, seen_by = null
  where c.raw <> excluded.raw
$$;
