-- Events after a recovery. An epoch was one cluster; a server that comes back from an earlier moment (a
-- copied folder, a snapshot, point-in-time recovery, a standby that had not got everything) counts its
-- transactions on from there in the same epoch, and a reader who had come further hears nothing until
-- the count passes him. Now an epoch is one run of the server: what it has written, nobody else has. The
-- run is known by the moment its postmaster started, which a copy, a standby and every restart have of
-- their own; whatever else a timeline would tell is covered, without asking the write-ahead log. A run
-- begins its epoch when it migrates or with its first event, so nothing has to be done after a promotion.
--
-- Small tables; the view has the table's name, so that posting goes on reading it.

create table events.epochs (
  epoch integer not null,
  -- When the server that wrote it had been started.
  run timestamptz not null,
  -- The last event of an epoch that has ended, and of the present one when some have been cleared away.
  last_xid xid8 not null default '0',
  last_seq bigint not null default 0,
  constraint epochs_pkey primary key (epoch),
  constraint epochs_run_key unique (run)
);
insert into events.epochs (epoch, run) select c.epoch, 'epoch' from events.clock c;

alter table events.outbox alter column epoch drop default;
drop function events.begin_epoch_after_restore();
drop table events.clock;

-- The epoch of what this run has written, or is about to.
create or replace function events.current_epoch() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when e.run = pg_postmaster_start_time() then e.epoch else e.epoch + 1 end
  from events.epochs e order by e.epoch desc limit 1
$$;

-- Writes down how far the present epoch has come: before its events are cleared away, and at its end.
create function events.keep_last_place() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update events.epochs e set last_xid = o.xid, last_seq = o.seq
  from (select max(epoch) as epoch from events.epochs) as present
  cross join lateral (select o.xid, o.seq from events.outbox o where o.epoch = present.epoch
    order by o.xid desc, o.seq desc limit 1) as o
  where e.epoch = present.epoch and (e.last_xid, e.last_seq) < (o.xid, o.seq)
$$;

-- The epoch to write in; the first to write in a run begins it, and the others wait for that.
create function events.writing_epoch() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_epoch integer;
begin
  select e.epoch into v_epoch from events.epochs e where e.run = pg_postmaster_start_time();
  if found then return v_epoch; end if;
  lock table events.epochs in share row exclusive mode;
  select e.epoch into v_epoch from events.epochs e where e.run = pg_postmaster_start_time();
  if found then return v_epoch; end if;
  perform events.keep_last_place();
  insert into events.epochs (epoch, run) select max(e.epoch) + 1, pg_postmaster_start_time()
  from events.epochs e returning epoch into v_epoch;
  return v_epoch;
end $$;

create view events.clock as select events.writing_epoch() as epoch;
alter table events.outbox alter column epoch set default events.writing_epoch();

-- The last event that nothing can come before any more; what comes after it is new.
create or replace function events.latest_place() returns table (epoch integer, xid xid8, seq bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(o.epoch, 0), coalesce(o.xid, '0'), coalesce(o.seq, 0)
  from (select) as one left join lateral (
    select o.epoch, o.xid, o.seq from events.outbox o
    where o.epoch < events.current_epoch() or o.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by o.epoch desc, o.xid desc, o.seq desc limit 1) as o on true
$$;

-- An epoch's run as readers carry it, in microseconds; two histories may have an epoch of the same number.
create function events.run_of(p_epoch integer) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select (extract(epoch from e.run) * 1000000)::bigint
    from events.epochs e where e.epoch = p_epoch), 0)
$$;

-- Null for a place in this history. For one that is not, or is no longer, the last place before it that is.
create function events.place_before_loss(p_epoch integer, p_run bigint, p_xid xid8, p_seq bigint)
returns events.epochs language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  e events.epochs;
begin
  if p_epoch = 0 then return null; end if;
  select * into e from events.epochs c
  where c.epoch < p_epoch or c.epoch = p_epoch and events.run_of(c.epoch) = p_run
  order by c.epoch desc limit 1;
  if not found then return row(0, 'epoch', '0', 0)::events.epochs; end if;
  -- What a run has told, it still has.
  if e.epoch = p_epoch and e.run = pg_postmaster_start_time()
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

-- GET /api/v1/handelser
drop function api.list_events(integer, text, bigint, integer);
create function api.list_events(p_epoch integer, p_run bigint, p_xid text, p_seq bigint, p_limit integer)
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

drop function api.latest_event_place();
create function api.latest_event_place() returns table (epoch integer, run bigint, xid text, seq bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return query select p.epoch, events.run_of(p.epoch), p.xid::text, p.seq from events.latest_place() p;
end $$;
