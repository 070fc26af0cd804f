-- Orders that became no invoice and wait for a person, the oldest first: what the event order.rejected has told keys that read of
-- each, and nothing of what is in them.
create or replace function api.list_stopped_orders(p_after uuid, p_limit integer)
returns table (id uuid, external_id text, received_at timestamptz, reason text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    select o.id, o.external_id, o.created_at, a.reason
    from intake.orders o
    cross join lateral (select t.reason from intake.order_attempts t
      where t.order_id = o.id and t.status = 'rejected' order by t.id desc limit 1) a
    where o.invoice_id is null and not o.is_dismissed and (p_after is null or o.id > p_after)
    order by o.id limit p_limit;
end $$;
