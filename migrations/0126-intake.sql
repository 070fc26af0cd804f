-- Orders and e-invoices as they came: the bytes and their SHA-256 first, everything else after. An order is
-- known by its externalId (or, without a readable one, by its bytes); each different body it was sent with
-- is an attempt, judged once by the intake worker.

create table intake.orders (
  id uuid not null,
  identity text not null,
  external_id text,
  invoice_id uuid,
  customer_id uuid,
  created_at timestamptz not null default now(),
  -- Closed by a person: no longer waits for anybody. Another body of the order opens it again.
  is_dismissed boolean not null default false,
  -- An order whose number turned out to be that of another, which speaks for both.
  same_as uuid,
  constraint orders_pkey primary key (id),
  constraint orders_identity_key unique (identity),
  constraint orders_invoice_key unique (invoice_id),
  constraint orders_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint orders_customer_fkey foreign key (customer_id) references sales.customers,
  constraint orders_same_as_fkey foreign key (same_as) references intake.orders,
  constraint orders_same_as_is_known_otherwise check ((identity like 'same:%') = (same_as is not null))
);
create index orders_dismissed on intake.orders (id) where is_dismissed and invoice_id is null;
create index orders_open on intake.orders (id) include (created_at)
  where invoice_id is null and not is_dismissed;

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
create index order_attempts_duplicate on intake.order_attempts (order_id) where status = 'duplicate';
create index order_attempts_waiting on intake.order_attempts (received_at) where status = 'received';

-- Which keys have sent an order, whatever became of it: a key may ask about its own orders only.
create table intake.order_senders (
  key_id uuid not null,
  order_id uuid not null,
  constraint order_senders_pkey primary key (order_id, key_id),
  constraint order_senders_order_fkey foreign key (order_id) references intake.orders,
  constraint order_senders_key_fkey foreign key (key_id) references restricted.api_keys
);

-- Known by the bytes of the invoice itself: the same invoice in another envelope is the same invoice. A
-- body that was no document at all is known by its bytes and content type together.
-- What was refused at the door is here too, so that a person sees it; of what was too large, only that.
create table intake.e_invoices (
  id uuid not null,
  sha256 bytea,
  raw bytea,
  size bigint not null,
  key_id uuid not null,
  request_id uuid not null,
  received_at timestamptz not null default now(),
  status text not null default 'received',
  reason text,
  -- message, and where in the document.
  detail jsonb,
  draft_id uuid,
  -- What the first sender was answered; whoever sends it again is answered the same.
  answer jsonb,
  decided_at timestamptz,
  -- When it was last put up to be judged.
  queued_at timestamptz not null default now(),
  constraint e_invoices_pkey primary key (id),
  constraint e_invoices_draft_key unique (draft_id),
  constraint e_invoices_key_fkey foreign key (key_id) references restricted.api_keys,
  constraint e_invoices_status_known check (status in ('received', 'draft', 'rejected')),
  constraint e_invoices_rejection_has_reason check ((status = 'rejected') = (reason is not null)),
  constraint e_invoices_draft_is_answered check (status <> 'draft'
    or (draft_id is not null and answer is not null)),
  constraint e_invoices_bytes_are_kept check ((raw is null) = (reason is not null
    and reason = 'payload_too_large'))
);
alter table intake.e_invoices alter column raw set storage external;
-- A content waits, or is a draft, once; it may have been refused in several envelopes.
create unique index e_invoices_content_key on intake.e_invoices (sha256) where status <> 'rejected';
create index e_invoices_not_drafted on intake.e_invoices (id) where status <> 'draft';
create index e_invoices_refused_content on intake.e_invoices (sha256) where status = 'rejected';
create index e_invoices_rejected on intake.e_invoices (received_at) where status = 'rejected';
create index e_invoices_waiting on intake.e_invoices (received_at) where status = 'received';

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
  -- A person may write the invoice of a stopped order by hand; the order then has that invoice, and its
  -- number can never become another. A check is replaced, which reads the few decisions there are.
  constraint order_decisions_decision_known check (decision in ('retried', 'dismissed', 'invoiced')),
  constraint order_decisions_dismissal_has_reason
    check ((decision = 'dismissed') = (reason is not null)),
  constraint order_decisions_reason_length check (char_length(reason) between 1 and 500)
);
create index order_decisions_by_attempt on intake.order_decisions (attempt_id);
create index order_decisions_by_order on intake.order_decisions (order_id, decided_at);
create index order_decisions_by_request on intake.order_decisions (request_id);

-- functions: events.note_e_invoice_again, events.note_received_e_invoices, events.note_received_orders
-- functions: events.note_rejected_order, intake.freeze_e_invoice, intake.freeze_order, intake.freeze_received
-- functions: intake.refuse_change, intake.reopen_order, intake.stamp_decision

create trigger orders_keep_their_invoice before update of invoice_id on intake.orders for each row
  when (old.invoice_id is not null and new.invoice_id is distinct from old.invoice_id)
  execute function intake.freeze_order();
create trigger order_attempts_are_frozen before update or delete on intake.order_attempts
  for each row execute function intake.freeze_received();
create trigger order_attempts_are_never_emptied before truncate on intake.order_attempts
  for each statement execute function intake.freeze_received();
create trigger order_attempts_reopen after update of status on intake.order_attempts
  for each row when (new.status = 'rejected' and old.status <> 'rejected')
  execute function intake.reopen_order();
create trigger order_attempts_tell_received after insert on intake.order_attempts
  referencing new table as added for each statement execute function events.note_received_orders();
create trigger order_attempts_tell_rejected after update of status on intake.order_attempts
  for each row when (new.status = 'rejected' and old.status <> 'rejected')
  execute function events.note_rejected_order();
create trigger e_invoices_are_frozen before update of id, sha256, size, key_id, request_id,
  received_at, status, reason, detail, draft_id, answer, decided_at, queued_at or delete
  on intake.e_invoices for each row execute function intake.freeze_e_invoice();
create trigger e_invoices_are_never_emptied before truncate on intake.e_invoices
  for each statement execute function intake.freeze_e_invoice();
create trigger e_invoices_keep_their_bytes before update of raw on intake.e_invoices
  for each statement execute function intake.refuse_change();
create trigger e_invoices_tell_again after update of status on intake.e_invoices
  for each row when (old.status = 'rejected' and new.status <> 'rejected')
  execute function events.note_e_invoice_again();
create trigger e_invoices_tell_received after insert on intake.e_invoices
  referencing new table as added for each statement execute function events.note_received_e_invoices();
create trigger order_decisions_are_immutable before update or delete or truncate
  on intake.order_decisions for each statement execute function intake.refuse_change();
create trigger people_are_named before insert on intake.order_decisions for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function intake.stamp_decision();

alter table intake.orders enable row level security;
create policy people_read on intake.orders for select to hb_app using ((select app.may('read')));
create policy people_write on intake.orders to hb_app using ((select app.may('keep_books')));
create policy workers_work on intake.orders to hb_worker using (true);
alter table intake.order_attempts enable row level security;
create policy people_read on intake.order_attempts for select to hb_app using ((select app.may('read')));
create policy people_write on intake.order_attempts to hb_app using ((select app.may('keep_books')));
create policy workers_work on intake.order_attempts to hb_worker using (true);
alter table intake.e_invoices enable row level security;
create policy people_read on intake.e_invoices for select to hb_app using ((select app.may('read')));
create policy people_write on intake.e_invoices to hb_app using ((select app.may('keep_books')));
create policy workers_work on intake.e_invoices to hb_worker using (true);
alter table intake.order_decisions enable row level security;
create policy people_read on intake.order_decisions for select to hb_app using ((select app.may('read')));
create policy people_write on intake.order_decisions to hb_app using ((select app.may('keep_books')));
