-- Reminders in runs that people start: when each level comes, what waits, and which run sent which. No table is
-- rewritten: instant.
-- functions: audit.stamp_created, sales.refuse_change
alter table restricted.company
  add column reminder_runs_are_on boolean not null default false,
  -- Days after the due date of the first reminder, the second and the third.
  add column reminder_days integer[] not null default '{7,21,35}',
  -- Whether runs claim a fee where it was agreed.
  add column reminder_runs_claim_fee boolean not null default false,
  -- How old what the bank has told may be, in days; null where payments are not read from the bank.
  add column reminder_bank_days integer default 3,
  add constraint company_reminder_days_rise check (
    array_ndims(reminder_days) = 1 and cardinality(reminder_days) between 1 and 3
    and array_position(reminder_days, null) is null
    and 1 <= all (reminder_days) and 365 >= all (reminder_days)
    and (cardinality(reminder_days) < 2 or reminder_days[1] < reminder_days[2])
    and (cardinality(reminder_days) < 3 or reminder_days[2] < reminder_days[3])),
  add constraint company_reminder_bank_days_range check (reminder_bank_days between 0 and 60);

-- Invoices that runs leave out for a time. It is over by itself the day after the last day.
create table sales.reminder_pauses (
  invoice_id uuid not null,
  -- promise: the customer pays at the latest that day.
  kind text not null,
  last_day date not null,
  reason text,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint reminder_pauses_pkey primary key (invoice_id),
  constraint reminder_pauses_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint reminder_pauses_kind_known check (kind in ('promise', 'pause')),
  constraint reminder_pauses_day_is_finite check (isfinite(last_day)),
  constraint reminder_pauses_reason_length check (char_length(reason) between 1 and 500)
);
create trigger people_are_named before insert or update on sales.reminder_pauses for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();

-- Many reminders at once: who asked for them and when.
create table sales.reminder_runs (
  id uuid not null,
  run_on date not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint reminder_runs_pkey primary key (id)
);
create index reminder_runs_by_time on sales.reminder_runs (created_at desc);
create trigger people_are_named before insert on sales.reminder_runs for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger reminder_runs_are_immutable before update or delete or truncate on sales.reminder_runs
  for each statement execute function sales.refuse_change();

-- The reminders of a run. A reminder is of one run, and an invoice in a run once.
create table sales.run_reminders (
  run_id uuid not null,
  invoice_id uuid not null,
  reminder_no integer not null,
  -- How it goes: as mail, or printed and posted.
  channel text not null,
  constraint run_reminders_pkey primary key (run_id, invoice_id),
  constraint run_reminders_reminder_key unique (invoice_id, reminder_no),
  constraint run_reminders_run_fkey foreign key (run_id) references sales.reminder_runs,
  constraint run_reminders_reminder_fkey foreign key (invoice_id, reminder_no)
    references sales.reminders (invoice_id, reminder_no),
  constraint run_reminders_channel_known check (channel in ('mail', 'paper'))
);
create trigger run_reminders_are_immutable before update or delete or truncate on sales.run_reminders
  for each statement execute function sales.refuse_change();

alter table sales.reminder_pauses enable row level security;
create policy people_read on sales.reminder_pauses for select to hb_app using ((select app.may('read')));
create policy people_write on sales.reminder_pauses to hb_app using ((select app.may('keep_books')));
alter table sales.reminder_runs enable row level security;
create policy people_read on sales.reminder_runs for select to hb_app using ((select app.may('read')));
create policy people_write on sales.reminder_runs to hb_app using ((select app.may('keep_books')));
alter table sales.run_reminders enable row level security;
create policy people_read on sales.run_reminders for select to hb_app using ((select app.may('read')));
create policy people_write on sales.run_reminders to hb_app using ((select app.may('keep_books')));
