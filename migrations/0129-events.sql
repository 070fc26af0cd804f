-- Events out: what happened, in the order it became true, for those who ask (GET /api/v1/handelser) and
-- those who are told (webhooks).
--
-- An epoch is one run of the server: what it has written, nobody else has. A server that comes back from an
-- earlier moment (a copied folder, a snapshot, point-in-time recovery, a standby that had not got
-- everything) counts its transactions on from there, and in the same epoch a reader who had come further
-- would hear nothing until the count passes him. The run is known by the moment its postmaster started,
-- which a copy, a standby and every restart have of their own. A run begins its epoch when it migrates or
-- with its first event, so nothing has to be done after a promotion.

-- functions: events.writing_epoch

-- A row is only what happened to what; what there is to tell is read when it is told.
create table events.outbox (
  epoch integer not null default events.writing_epoch(),
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  type text not null,
  subject uuid not null,
  occurred_at timestamptz not null default now(),
  constraint outbox_pkey primary key (epoch, xid, seq),
  constraint outbox_type_known check (type in ('voucher.posted', 'invoice.drafted', 'invoice.booked',
    'invoice.paid', 'order.received', 'order.rejected', 'e_invoice.received'))
);
create index outbox_occurred_at on events.outbox using brin (occurred_at);

-- The secret signs what is sent, so it must be readable; so is everything else in the books. `after_*` is
-- how far into the events the endpoint has been given its deliveries.
create table events.endpoints (
  id uuid not null,
  url text not null,
  description text not null default '',
  -- None means all.
  types text[] not null default '{}',
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
  sealed_secret bytea,
  previous_sealed_secret bytea,
  -- The key that opens it, as the sealed bytes themselves say (src/secrets/seal.ts).
  secret_key_id text generated always as (encode(substr(sealed_secret, 2, 8), 'hex')) stored,
  constraint endpoints_pkey primary key (id),
  constraint endpoints_url_length check (char_length(url) between 1 and 2000),
  constraint endpoints_description_length check (char_length(description) <= 200),
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
create index deliveries_by_endpoint on events.deliveries (endpoint_id, created_at);
create index deliveries_due on events.deliveries (endpoint_id, next_attempt_at) where state = 'pending';
-- Failed deliveries are few among many; the page that asks for them must not go through the rest.
create index deliveries_failed on events.deliveries (endpoint_id, created_at, id)
  where state = 'failed';
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

create table events.epochs (
  epoch integer not null,
  -- When the server that wrote it had been started.
  run timestamptz not null,
  -- The last event of an epoch that has ended, and of the present one when some have been cleared away.
  last_xid xid8 not null default '0'::xid8,
  last_seq bigint not null default 0,
  constraint epochs_pkey primary key (epoch),
  constraint epochs_run_key unique (run)
);
-- The epoch of before any run of a server.
insert into events.epochs (epoch, run) values (1, 'epoch');

create view events.clock as select events.writing_epoch() as epoch;

create constraint trigger changes_are_written_down
  after insert or update of url, types, sealed_secret, disabled_at or delete on events.endpoints
  deferrable initially deferred for each row execute function audit.require_event('^webhook\.');
create trigger people_are_named before insert or update on events.endpoints
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();

alter table events.endpoints enable row level security;
create policy people_administer on events.endpoints to hb_app using ((select app.may('administer')));
create policy workers_work on events.endpoints to hb_worker using (true);
alter table events.deliveries enable row level security;
create policy people_administer on events.deliveries to hb_app using ((select app.may('administer')));
create policy workers_work on events.deliveries to hb_worker using (true);
alter table events.attempts enable row level security;
create policy people_administer on events.attempts to hb_app using ((select app.may('administer')));
create policy workers_work on events.attempts to hb_worker using (true);
