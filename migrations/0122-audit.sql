-- Who did what, and when. What a login says of it is believed of the owner alone, who runs the commands;
-- for everybody else the database knows (audit.actor).

-- functions: audit.words_of

-- Who did what, when: keys made and revoked, locks set, years closed, set-up, bookings.
create table audit.events (
  id uuid not null,
  occurred_at timestamptz not null default clock_timestamp(),
  actor text not null,
  -- Every event tells which call it came with, when the transaction has said so.
  request_id uuid default (NULLIF(current_setting('huvudbok.request_id', true), ''))::uuid,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}',
  constraint events_pkey primary key (id)
);
-- Who set a lock, and when.
create index events_by_action_and_time on audit.events (action, occurred_at desc, id desc);
create index events_by_actor on audit.events (actor, occurred_at desc, id desc);
create index events_by_request on audit.events (request_id) where request_id is not null;
-- What has happened to something: a voucher's history, who set a lock. And which bank transaction a
-- voucher books.
create index events_by_subject on audit.events (subject, occurred_at desc, id desc);
create index events_by_words on audit.events using gin (audit.words_of(subject, detail));
create index events_occurred_at on audit.events (occurred_at desc, id desc);

-- What the last check of all books found (huvudbok verify, or the nightly one).
create table audit.verifications (
  id uuid not null,
  finished_at timestamptz not null default now(),
  actor text not null,
  vouchers bigint not null,
  problems jsonb not null,
  constraint verifications_pkey primary key (id)
);
create index verifications_finished_at on audit.verifications (finished_at desc);

-- functions: audit.refuse_change, audit.stamp_verification

create trigger events_are_immutable before update or delete or truncate on audit.events
  for each statement execute function audit.refuse_change();
create trigger people_are_named before insert on audit.verifications for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_verification();

alter table audit.events enable row level security;
create policy people_read on audit.events for select to hb_app using ((select app.may('read')));
alter table audit.verifications enable row level security;
create policy people_read on audit.verifications for select to hb_app using ((select app.may('read')));
create policy workers_work on audit.verifications to hb_worker using (true);
