-- Null for a place in this history. For one that is not, or is no longer, the last place before it that is.
create or replace function events.place_before_loss(p_epoch integer, p_run bigint, p_xid xid8, p_seq bigint)
returns events.epochs language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  e events.epochs;
begin
  if p_epoch = 0 then return null; end if;
  select * into e from events.epochs c
  where c.epoch = p_epoch and events.run_of(c.epoch) = p_run
    -- Of an unknown run only one that began before it can be an ancestor, and never the one that goes on.
    or c.epoch < p_epoch and events.run_of(c.epoch) < p_run and c.run <> events.this_run()
  order by c.epoch desc limit 1;
  if not found then return row(0, 'epoch', '0', 0)::events.epochs; end if;
  -- What a run has told, it still has.
  if e.epoch = p_epoch and e.run = events.this_run()
    and p_xid < pg_snapshot_xmax(pg_current_snapshot()) then return null; end if;
  -- An epoch that none has followed yet may have gone further than what is written down.
  select o.xid, o.seq into e.last_xid, e.last_seq from (
    select e.last_xid as xid, e.last_seq as seq
    union all
    (select o.xid, o.seq from events.outbox o where o.epoch = e.epoch
      order by o.xid desc, o.seq desc limit 1)) as o
  order by o.xid desc, o.seq desc limit 1;
  if e.epoch = p_epoch and (p_xid, p_seq) <= (e.last_xid, e.last_seq) then return null; end if;
  return e;
end $$;
