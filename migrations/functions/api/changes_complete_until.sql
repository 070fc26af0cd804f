-- GET /api/v1/handelser, updated_since: every change of a list that a call begun later does not see is of this time or later,
-- however long its transaction has been open.
--   An event that can be told has a number below that of every transaction which is still open. So what cannot be seen was
--   written by a transaction that got its number later than the event's did; the event's own time is that of when its
--   transaction began, before its number, and a change's is read after its transaction's number (audit.stamp_change and
--   the defaults of the columns). A minute is taken off for clocks that are set back.
--   Without any event: nothing that is open began before the server did, unless it follows another.
create or replace function api.changes_complete_until() returns timestamptz
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return coalesce(
    (select o.occurred_at from events.latest_place() p join events.outbox o using (epoch, xid, seq)),
    case when pg_is_in_recovery() then 'epoch' else pg_postmaster_start_time() end) - interval '1 minute';
end $$;
