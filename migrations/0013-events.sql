-- Events out: what happened, in the order it became true, for those who ask (GET /api/v1/handelser) and
-- those who are told (webhooks). New tables; the ledger's posting writes its own events (statistics).

create schema events;

-- Events are ordered by the transaction that wrote them. A cluster restored from a dump begins anew with
-- low transaction numbers; a new epoch puts what happens there after what happened before.
create table events.clock (
  singleton boolean not null default true,
  epoch integer not null default 1,
  constraint clock_pkey primary key (singleton),
  constraint clock_is_single check (singleton)
);
insert into events.clock default values;

create function events.current_epoch() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select epoch from events.clock
$$;

-- A row is only what happened to what; what there is to tell is read when it is told.
create table events.outbox (
  epoch integer not null default events.current_epoch(),
  xid xid8 not null default pg_current_xact_id(),
  seq bigint not null generated always as identity,
  type text not null,
  subject uuid not null,
  occurred_at timestamptz not null default now(),
  constraint outbox_pkey primary key (epoch, xid, seq),
  constraint outbox_type_known check (type in ('voucher.posted', 'invoice.drafted', 'invoice.booked',
    'invoice.paid', 'order.received', 'order.rejected', 'e_invoice.received'))
);
create index outbox_occurred_at on events.outbox using brin (occurred_at);

-- Called at every start. No transaction of this cluster can have a number at or above the snapshot's end.
create function events.begin_epoch_after_restore() returns void
language sql set search_path = pg_catalog, pg_temp as $$
  update events.clock c set epoch = c.epoch + 1 where exists (
    select from events.outbox o
    where o.epoch = c.epoch and o.xid >= pg_snapshot_xmax(pg_current_snapshot()))
$$;

-- The events after a place. Only those that nothing still running can come before: a transaction that
-- commits later with a lower number would otherwise be passed over for ever.
create function events.list_after(p_epoch integer, p_xid xid8, p_seq bigint, p_limit integer)
returns setof events.outbox language sql stable set search_path = pg_catalog, pg_temp as $$
  select o.* from events.outbox o
  where (o.epoch, o.xid, o.seq) > (p_epoch, p_xid, p_seq)
    and (o.epoch < events.current_epoch() or o.xid < pg_snapshot_xmin(pg_current_snapshot()))
  order by o.epoch, o.xid, o.seq limit p_limit
$$;

-- The place after which only what is new comes.
create function events.latest_place() returns table (epoch integer, xid xid8, seq bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select events.current_epoch(), pg_snapshot_xmin(pg_current_snapshot()), 0::bigint
$$;

-- The same event has the same id wherever it is told, and no other has: made of what it is, not stored.
create function events.id_of(p_event events.outbox) returns uuid
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select md5(concat_ws(' ', p_event.epoch, p_event.xid, p_event.seq, p_event.type, p_event.subject))::uuid
$$;

-- What an event tells, by the names the API has for the same things.
create function events.describe(p_type text, p_subject uuid) returns jsonb
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case split_part(p_type, '.', 1)
    when 'voucher' then (
      select jsonb_build_object('id', v.id, 'series', v.series, 'number', v.number,
        'label', v.series || v.number, 'verification_date', v.verification_date, 'source', v.source)
      from ledger.vouchers v where v.id = p_subject)
    when 'invoice' then (
      select jsonb_build_object('invoice_id', i.id, 'kind', i.kind, 'source', i.source,
          'customer_id', i.customer_id, 'invoice_date', i.invoice_date, 'due_date', i.due_date,
          'total', trim_scale(i.total_ore / 100.0))
        || case when p_type = 'invoice.drafted' then '{}' else jsonb_build_object(
          'invoice_number', i.number, 'ocr', i.ocr, 'voucher_id', i.voucher_id) end
      from sales.invoices i where i.id = p_subject)
    when 'order' then (
      select jsonb_build_object('orderId', o.id, 'attemptId', a.id, 'externalId', o.external_id)
        || case when p_type = 'order.rejected' then jsonb_build_object('reason', a.reason)
          else '{}' end
      from intake.order_attempts a join intake.orders o on o.id = a.order_id where a.id = p_subject)
    when 'e_invoice' then (
      select jsonb_build_object('documentId', e.id, 'documentSha256', encode(e.sha256, 'hex'),
        'draftId', e.draft_id)
      from intake.e_invoices e where e.id = p_subject)
    else jsonb_build_object('id', p_subject) end
$$;

-- An event as it is told: the same to those who ask and those who are told.
create function events.body_of(p_id uuid, p_type text, p_occurred_at timestamptz, p_subject uuid)
returns jsonb language sql stable set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('id', p_id, 'type', p_type,
    'timestamp', to_char(p_occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', events.describe(p_type, p_subject))
$$;

create function events.note_new_invoices() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) select 'invoice.drafted', i.id from added i
  where i.status = 'draft';
  return null;
end $$;
create trigger invoices_tell_drafted after insert on sales.invoices referencing new table as added
  for each statement execute function events.note_new_invoices();

create function events.note_invoice_status() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if old.status = 'draft' then
    insert into events.outbox (type, subject) values ('invoice.booked', new.id);
  end if;
  if new.status = 'paid' then
    insert into events.outbox (type, subject) values ('invoice.paid', new.id);
  end if;
  return null;
end $$;
create trigger invoices_tell_status after update of status on sales.invoices
  for each row when (old.status is distinct from new.status)
  execute function events.note_invoice_status();

create function events.note_received_orders() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) select 'order.received', a.id from added a;
  return null;
end $$;
create trigger order_attempts_tell_received after insert on intake.order_attempts
  referencing new table as added for each statement execute function events.note_received_orders();

create function events.note_rejected_order() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) values ('order.rejected', new.id);
  return null;
end $$;
create trigger order_attempts_tell_rejected after update of status on intake.order_attempts
  for each row when (new.status = 'rejected' and old.status <> 'rejected')
  execute function events.note_rejected_order();

create function events.note_received_e_invoices() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) select 'e_invoice.received', a.id from added a;
  return null;
end $$;
create trigger e_invoices_tell_received after insert on intake.e_invoices
  referencing new table as added for each statement execute function events.note_received_e_invoices();

-- GET /api/v1/handelser
create function api.list_events(p_epoch integer, p_xid text, p_seq bigint, p_limit integer)
returns table (epoch integer, xid text, seq bigint, event jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return query
    select e.epoch, e.xid::text, e.seq, events.body_of(events.id_of(e), e.type, e.occurred_at, e.subject)
    from events.list_after(p_epoch, p_xid::xid8, p_seq, p_limit) e
    order by e.epoch, e.xid, e.seq;
end $$;

create function api.latest_event_place() returns table (epoch integer, xid text, seq bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return query select p.epoch, p.xid::text, p.seq from events.latest_place() p;
end $$;
