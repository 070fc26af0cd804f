-- Webhooks: who is told of events, what each is owed, and how every attempt to tell them went. New tables.

-- The secret signs what is sent, so it must be readable; so is everything else in the books. `after_*` is
-- how far into the events the endpoint has been given its deliveries.
create table events.endpoints (
  id uuid not null,
  url text not null,
  description text not null default '',
  -- None means all.
  types text[] not null default '{}',
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  after_epoch integer not null,
  after_xid xid8 not null,
  after_seq bigint not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- Since when no attempt has succeeded; null while they do.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  constraint endpoints_pkey primary key (id),
  constraint endpoints_url_length check (char_length(url) between 1 and 2000),
  constraint endpoints_description_length check (char_length(description) <= 200),
  constraint endpoints_rotation_is_whole
    check ((previous_secret is null) = (previous_secret_until is null)),
  constraint endpoints_disabled_has_reason check ((disabled_at is null) = (disabled_reason is null))
);

create table events.deliveries (
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  subject uuid not null,
  occurred_at timestamptz not null,
  state text not null default 'pending',
  attempts integer not null default 0,
  -- When it is due, or when whoever took it is given up.
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint deliveries_pkey primary key (id),
  constraint deliveries_endpoint_fkey foreign key (endpoint_id) references events.endpoints
    on delete cascade,
  constraint deliveries_state_known check (state in ('pending', 'delivered', 'failed')),
  constraint deliveries_finished check ((state = 'pending') = (finished_at is null))
);
create index deliveries_due on events.deliveries (endpoint_id, next_attempt_at) where state = 'pending';
create index deliveries_by_endpoint on events.deliveries (endpoint_id, created_at);
create index deliveries_finished_at on events.deliveries (finished_at);

create table events.attempts (
  delivery_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- The HTTP status answered, or why there was none.
  status integer,
  error text,
  constraint attempts_pkey primary key (delivery_id, number),
  constraint attempts_delivery_fkey foreign key (delivery_id) references events.deliveries
    on delete cascade
);

-- Gives every endpoint the deliveries of the events it has not been given. One that has much outstanding
-- waits: the events are kept anyway. How many events were gone through; more may remain.
create function events.fan_out(p_page integer, p_outstanding_max integer) returns integer
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  e events.endpoints;
  v_events events.outbox[];
  v_last events.outbox;
  v_count integer := 0;
begin
  for e in
    select * from events.endpoints where disabled_at is null order by id for update skip locked
  loop
    continue when (select count(*) from (
      select from events.deliveries d where d.endpoint_id = e.id and d.state = 'pending'
      limit p_outstanding_max) as outstanding) >= p_outstanding_max;
    v_events := array(
      select o from events.list_after(e.after_epoch, e.after_xid, e.after_seq, p_page) o
      order by o.epoch, o.xid, o.seq);
    continue when cardinality(v_events) = 0;
    insert into events.deliveries (endpoint_id, event_id, type, subject, occurred_at)
    select e.id, events.id_of(o), o.type, o.subject, o.occurred_at from unnest(v_events) o
    where e.types = '{}' or o.type = any (e.types);
    v_last := v_events[cardinality(v_events)];
    update events.endpoints
    set after_epoch = v_last.epoch, after_xid = v_last.xid, after_seq = v_last.seq where id = e.id;
    v_count := v_count + cardinality(v_events);
  end loop;
  return v_count;
end $$;

-- Deliveries that are due: of every endpoint as many as it has free places for, of one that fails a
-- single one. p_busy is how many attempts are under way with each of p_endpoints.
create function events.list_due(p_endpoints uuid[], p_busy integer[], p_places integer)
returns setof uuid language sql set search_path = pg_catalog, pg_temp as $$
  select d.id from events.endpoints e
  left join unnest(p_endpoints, p_busy) as working (endpoint_id, busy) on working.endpoint_id = e.id
  cross join lateral (
    select d.id from events.deliveries d
    where d.endpoint_id = e.id and d.state = 'pending' and d.next_attempt_at <= now()
    order by d.next_attempt_at
    limit greatest(0, case when e.failing_since is null then p_places else 1 end
      - coalesce(working.busy, 0))
    for update skip locked) as d
  where e.disabled_at is null
$$;

-- Takes deliveries for a minute each, with all there is to know to make the attempt. Should the taker die,
-- another takes them then.
create function events.take(p_ids uuid[])
returns table (id uuid, endpoint_id uuid, event_id uuid, type text, attempt integer, url text,
  secrets text[], body text)
language sql set search_path = pg_catalog, pg_temp as $$
  update events.deliveries d
  set attempts = d.attempts + 1, next_attempt_at = now() + interval '1 minute'
  from events.endpoints e
  where d.id = any (p_ids) and d.state = 'pending' and e.id = d.endpoint_id
  returning d.id, d.endpoint_id, d.event_id, d.type, d.attempts, e.url,
    case when e.previous_secret_until > now() then array[e.secret, e.previous_secret]
      else array[e.secret] end,
    events.body_of(d.event_id, d.type, d.occurred_at, d.subject)::text
$$;
