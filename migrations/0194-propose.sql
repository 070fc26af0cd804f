-- What programs propose and people decide on: the exact payload, what it relied on as it was proposed, and what became of
-- it. A new schema, and a scope that no key made before has: locks the table of keys for a moment.
create schema proposals;
-- functions: audit.require_event, proposals.guard_proposal

create table proposals.proposals (
  id uuid not null,
  -- What it becomes when somebody approves it.
  kind text not null,
  -- As the program sent it, in the words of the API.
  payload jsonb not null,
  -- What the program says of it. It is somebody else's text: shown last and marked as that, and posted nowhere.
  prose text,
  key_id uuid not null,
  -- The first of the keys that were rotated into that one: whose proposals they are.
  caller_id uuid not null,
  idempotency_key text not null,
  request_hash bytea not null,
  request_id uuid not null,
  -- What it relied on, as that was then (proposals.grounds_of), and the SHA-256 of its text.
  grounds jsonb not null,
  grounds_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  status text not null default 'open',
  decided_at timestamptz,
  decided_by text,
  -- Why it was rejected.
  reason text,
  -- What it became.
  result_kind text,
  result_id uuid,
  constraint proposals_pkey primary key (id),
  constraint proposals_sent_once unique (caller_id, idempotency_key),
  constraint proposals_key_fkey foreign key (key_id) references restricted.api_keys,
  constraint proposals_caller_fkey foreign key (caller_id) references restricted.api_keys,
  constraint proposals_kind_known check (kind in ('voucher', 'correction', 'match', 'invoice_draft', 'purchase')),
  constraint proposals_payload_shape check (jsonb_typeof(payload) = 'object' and octet_length(payload::text) <= 1000000),
  constraint proposals_prose_length check (char_length(prose) between 1 and 2000),
  constraint proposals_idempotency_key_length check (char_length(idempotency_key) between 8 and 255),
  constraint proposals_status_known check (status in ('open', 'approved', 'rejected', 'withdrawn')),
  constraint proposals_decision_is_whole check ((status = 'open') = (decided_at is null) and (status = 'open') = (decided_by is null)),
  constraint proposals_rejected_has_reason check ((status = 'rejected') = (reason is not null)),
  constraint proposals_reason_length check (char_length(reason) between 1 and 500),
  constraint proposals_result_kind_known check (result_kind in ('voucher', 'invoice', 'purchase')),
  constraint proposals_approved_has_result check ((status = 'approved') = (result_id is not null)
    and (result_kind is null) = (result_id is null))
);
create index proposals_open on proposals.proposals (created_at, id) where status = 'open';
create index proposals_decided on proposals.proposals (decided_at desc, id desc) where status <> 'open';
create index proposals_of_caller on proposals.proposals (caller_id, id desc);

create trigger proposals_are_guarded before update or delete on proposals.proposals
  for each row execute function proposals.guard_proposal();
create constraint trigger changes_are_written_down after update on proposals.proposals
  deferrable initially deferred for each row execute function audit.require_event('^proposal\.');

alter table proposals.proposals enable row level security;
create policy people_read on proposals.proposals for select to hb_app using ((select app.may('read')));
create policy people_write on proposals.proposals to hb_app using ((select app.may('keep_books')));

alter table restricted.api_keys drop constraint api_keys_scopes_known,
  add constraint api_keys_scopes_known check (
    scopes <@ array['data:read', 'intake:write', 'ledger:write', 'documents:read', 'documents:write', 'bank:read',
      'bank:write', 'proposals:write']
    and cardinality(scopes) > 0);
