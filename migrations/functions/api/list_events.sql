-- GET /api/v1/handelser.
create or replace function api.list_events(p_epoch integer, p_run bigint, p_xid text, p_seq bigint, p_limit integer)
returns table (epoch integer, run bigint, xid text, seq bigint, event jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_before events.epochs;
begin
  perform api.require_key('data:read');
  v_before := events.place_before_loss(p_epoch, p_run, p_xid::xid8, p_seq);
  if v_before.epoch is not null then
    raise exception 'the cursor is ahead of the events' using errcode = 'HB409',
      detail = jsonb_build_object('epoch', v_before.epoch, 'run', events.run_of(v_before.epoch)::text,
        'xid', v_before.last_xid::text, 'seq', v_before.last_seq::text)::text;
  end if;
  return query
    select e.epoch, events.run_of(e.epoch), e.xid::text, e.seq,
      events.body_of(events.id_of(e), e.type, e.occurred_at, e.subject)
    from events.list_after(p_epoch, p_xid::xid8, p_seq, p_limit) e
    order by e.epoch, e.xid, e.seq;
end $$;
