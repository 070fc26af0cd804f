-- Orders as they came: the bytes and their SHA-256 first, everything else after. An order is known
-- by its externalId (or, without a readable one, by its bytes); each different body it was sent
-- with is an attempt, judged once by the intake worker.

create schema intake;

create table intake.orders (
  id uuid not null,
  identity text not null,
  external_id text,
  invoice_id uuid,
  customer_id uuid,
  created_at timestamptz not null default now(),
  constraint orders_pkey primary key (id),
  constraint orders_identity_key unique (identity),
  constraint orders_invoice_key unique (invoice_id),
  constraint orders_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint orders_customer_fkey foreign key (customer_id) references sales.customers
);

create table intake.order_attempts (
  id uuid not null,
  order_id uuid not null,
  raw bytea not null,
  sha256 bytea not null,
  received_at timestamptz not null default now(),
  key_id uuid not null,
  request_id uuid not null,
  status text not null default 'received',
  reason text,
  -- message, problems and oren of a rejection, in the shape the API answers.
  detail jsonb,
  decided_at timestamptz,
  constraint order_attempts_pkey primary key (id),
  constraint order_attempts_body_key unique (order_id, sha256),
  constraint order_attempts_order_fkey foreign key (order_id) references intake.orders,
  constraint order_attempts_key_fkey foreign key (key_id) references restricted.api_keys,
  constraint order_attempts_status_known
    check (status in ('received', 'draft', 'duplicate', 'rejected')),
  constraint order_attempts_rejection_has_reason check ((status = 'rejected') = (reason is not null)),
  constraint order_attempts_hash_is_true check (sha256 = pg_catalog.sha256(raw))
);
create index order_attempts_by_hash on intake.order_attempts (sha256);
create index order_attempts_waiting on intake.order_attempts (received_at) where status = 'received';

-- Which keys have sent an order, whatever became of it: a key may ask about its own orders only.
create table intake.order_senders (
  key_id uuid not null,
  order_id uuid not null,
  constraint order_senders_pkey primary key (order_id, key_id),
  constraint order_senders_order_fkey foreign key (order_id) references intake.orders,
  constraint order_senders_key_fkey foreign key (key_id) references restricted.api_keys
);

-- What was received is never changed, only judged (the bytes are held by their hash).
create function intake.freeze_received() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE' or (new.id, new.order_id, new.sha256, new.received_at, new.key_id,
      new.request_id) is distinct from (old.id, old.order_id, old.sha256, old.received_at,
      old.key_id, old.request_id) then
    raise exception 'what was received is never changed'
      using errcode = 'HB001', constraint = 'order_attempts_are_frozen';
  end if;
  return new;
end $$;
create trigger order_attempts_are_frozen before update or delete on intake.order_attempts
  for each row execute function intake.freeze_received();
create trigger order_attempts_are_never_emptied before truncate on intake.order_attempts
  for each statement execute function intake.freeze_received();

-- Puts jobs on a pg-boss queue without giving the caller any right to the queue's tables: the row
-- pg-boss's own send() would insert, and its wake-up. A test compares the two.
create function intake.enqueue(p_queue text, p_data jsonb[]) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into pgboss.job (id, name, data, priority, start_after, created_on, expire_seconds,
    deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy,
    dead_letter, heartbeat_seconds, blocked, blocking, pending_dependencies)
  select gen_random_uuid(), q.name, d.data, 0, pgboss.job_now(), pgboss.job_now(), q.expire_seconds,
    q.deletion_seconds, pgboss.job_now() + q.retention_seconds * interval '1 second', q.retry_limit,
    q.retry_delay, coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter,
    q.heartbeat_seconds, false, false, 0
  from unnest(p_data) as d (data) join pgboss.queue q on q.name = p_queue;
  if not found then
    raise exception 'queue % does not exist', p_queue;
  end if;
  perform pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), p_queue);
end $$;
