-- Tills' Z reports (dagskassor): each kept byte for byte as it came, known by its till and number, judged by a worker
-- and booked by one voucher whose document it is (BFL 5 kap. 6 §). New tables, and a trigger on corrections: takes a short lock on those.
-- functions: intake.guard_till_report, intake.follow_till_corrections
alter table restricted.company add column till_accounts text[] not null
  default '{card 1686,swish 1930,cash 1910,gift_card 2421,bank 1930,tip 2890}';
create table intake.till_reports (
  id uuid not null,
  -- Which till's which report; by its bytes where that cannot be read.
  identity text not null,
  -- As it came, and alike however it is spelt.
  till text,
  till_key text,
  z_number bigint,
  -- What it is of, and the voucher's day.
  day date,
  raw bytea not null,
  sha256 bytea not null,
  -- Who sent it; none when a command took it in.
  key_id uuid,
  request_id uuid,
  received_at timestamptz not null default now(),
  status text not null default 'received',
  -- Why it was not booked, with what a person reads of it.
  reason text,
  detail jsonb,
  -- Why a person has said that it is not to be booked.
  dismissal text,
  -- When it was last asked to be judged.
  asked_at timestamptz not null default now(),
  decided_at timestamptz,
  voucher_id uuid,
  constraint till_reports_pkey primary key (id),
  -- The same bytes are kept once.
  constraint till_reports_content_key unique (identity, sha256),
  constraint till_reports_voucher_key unique (voucher_id),
  constraint till_reports_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint till_reports_key_fkey foreign key (key_id) references restricted.api_keys (id),
  constraint till_reports_identity_length check (char_length(identity) between 1 and 200),
  constraint till_reports_till_length check (char_length(till) between 1 and 100),
  constraint till_reports_z_number_range check (z_number between 0 and 999999999999),
  constraint till_reports_status_known check (status in ('received', 'posted', 'empty', 'stopped', 'dismissed')),
  constraint till_reports_posted_has_voucher check ((status = 'posted') = (voucher_id is not null)),
  constraint till_reports_stopped_has_reason check ((status in ('stopped', 'dismissed')) = (reason is not null)),
  constraint till_reports_booked_is_named check (status not in ('posted', 'empty')
    or till is not null and till_key is not null and z_number is not null and day is not null),
  constraint till_reports_hash check (sha256 = sha256(raw)),
  constraint till_reports_dismissal_length check (char_length(dismissal) between 1 and 500)
);
-- A till's report of a number is booked once, by whatever way it comes.
create unique index till_reports_booked_once on intake.till_reports (identity) where status in ('posted', 'empty');
create index till_reports_waiting on intake.till_reports (id) where status in ('received', 'stopped');
create index till_reports_in_sequence on intake.till_reports (till_key, z_number) where z_number is not null;
create trigger till_reports_are_guarded before update or delete on intake.till_reports
  for each row execute function intake.guard_till_report();
create trigger till_reports_are_never_emptied before truncate on intake.till_reports
  for each statement execute function intake.guard_till_report();
create trigger till_reports_are_followed after insert on ledger.corrections
  for each row execute function intake.follow_till_corrections();
alter table intake.till_reports enable row level security;
create policy people_read on intake.till_reports for select to hb_app using ((select app.may('read')));
create policy people_write on intake.till_reports to hb_app using ((select app.may('keep_books')));
create policy workers_work on intake.till_reports to hb_worker using (true);
