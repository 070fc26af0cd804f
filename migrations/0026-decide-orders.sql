-- What people decide about orders that stopped: tried again on the bytes that came, or dismissed with a
-- reason. New table and column, and indexes that the inboxes are paged by; one index is replaced. Locks
-- orders and e-invoices while their indexes are built (some seconds for a million).

-- Closed by a person: no longer waits for anybody. Another body of the order opens it again.
alter table intake.orders add column is_dismissed boolean not null default false;

create table intake.order_decisions (
  id uuid not null,
  order_id uuid not null,
  -- The order's latest attempt at the time.
  attempt_id uuid not null,
  decision text not null,
  -- Why it was dismissed.
  reason text,
  -- What the attempt had come to before it was tried again: reason, detail, decided_at.
  judgement jsonb,
  decided_at timestamptz not null default now(),
  decided_by text not null,
  request_id uuid not null,
  constraint order_decisions_pkey primary key (id),
  constraint order_decisions_order_fkey foreign key (order_id) references intake.orders,
  constraint order_decisions_attempt_fkey foreign key (attempt_id) references intake.order_attempts,
  constraint order_decisions_decision_known check (decision in ('retried', 'dismissed')),
  constraint order_decisions_dismissal_has_reason
    check ((decision = 'dismissed') = (reason is not null)),
  constraint order_decisions_reason_length check (char_length(reason) between 1 and 500)
);
create index order_decisions_by_order on intake.order_decisions (order_id, decided_at);
create index order_decisions_by_attempt on intake.order_decisions (attempt_id);
create index order_decisions_by_request on intake.order_decisions (request_id);

create function intake.refuse_change() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'what was decided is never changed'
    using errcode = 'HB001', constraint = tg_table_name || '_are_immutable';
end $$;
create trigger order_decisions_are_immutable before update or delete or truncate
  on intake.order_decisions for each statement execute function intake.refuse_change();

-- As before (0005); what was rejected may now be judged again, and nothing else may.
create or replace function intake.freeze_received() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE' or (new.id, new.order_id, new.sha256, new.received_at, new.key_id,
      new.request_id) is distinct from (old.id, old.order_id, old.sha256, old.received_at,
      old.key_id, old.request_id) then
    raise exception 'what was received is never changed'
      using errcode = 'HB001', constraint = 'order_attempts_are_frozen';
  end if;
  if old.status <> 'received' and (old.status, new.status) <> ('rejected', 'received') then
    raise exception 'what was judged is not judged otherwise'
      using errcode = 'HB001', constraint = 'order_attempts_are_judged_once';
  end if;
  return new;
end $$;

-- A body that is rejected after its order was dismissed is news: somebody must look again.
create function intake.reopen_order() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  update intake.orders set is_dismissed = false where id = new.order_id and is_dismissed;
  return null;
end $$;
create trigger order_attempts_reopen after update of status on intake.order_attempts
  for each row when (new.status = 'rejected' and old.status <> 'rejected')
  execute function intake.reopen_order();

-- Orders that stopped and wait for a person.
create or replace function intake.count_stopped_orders(p_before timestamptz) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select count(*) from intake.orders o
  where o.invoice_id is null and not o.is_dismissed and o.created_at < p_before and exists (
    select from intake.order_attempts a where a.order_id = o.id and a.status = 'rejected')
$$;

-- The inboxes are paged by id, which is made in the order things come.
drop index intake.orders_without_invoice;
create index orders_open on intake.orders (id) include (created_at)
  where invoice_id is null and not is_dismissed;
create index orders_dismissed on intake.orders (id) where is_dismissed and invoice_id is null;
create index order_attempts_duplicate on intake.order_attempts (order_id) where status = 'duplicate';
create index e_invoices_not_drafted on intake.e_invoices (id) where status <> 'draft';
create index invoices_rejected on purchases.invoices (id) where status = 'rejected';
create index payments_by_invoice on purchases.payments (invoice_id);

-- The name of the key that sent something, for everybody who may read; keys themselves are for
-- administrators.
create function app.key_name(p_id uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.name from restricted.api_keys k where k.id = p_id and app.may('read')
$$;

alter table intake.order_decisions enable row level security;
create policy people_read on intake.order_decisions for select to hb_app
  using ((select app.may('read')));
create policy people_write on intake.order_decisions to hb_app
  using ((select app.may('keep_books')));
