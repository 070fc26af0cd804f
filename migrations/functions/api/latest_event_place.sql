-- Where the events end now, for who begins to follow them.
create or replace function api.latest_event_place() returns table (epoch integer, run bigint, xid text, seq bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return query select p.epoch, events.run_of(p.epoch), p.xid::text, p.seq from events.latest_place() p;
end $$;
