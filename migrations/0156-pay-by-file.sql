-- Files of payments to the bank (pain.001): what the bank is asked to pay, of what, and what became of it. A file's
-- state is what is known of it: that a second person has said yes, that it was sent, that it was cancelled; a payout's
-- that the bank accepted or refused it, and the voucher that books it. New tables, and a trigger on payments of
-- purchases: takes a short lock on those.
-- functions: audit.stamp_created, audit.require_event, purchases.guard_payment_file, purchases.guard_payout
-- functions: purchases.judge_payout_part, purchases.keep_live_parts, purchases.require_whole_payout
-- functions: purchases.follow_payouts, purchases.refuse_change, purchases.people_who_pay, events.note_payment_file

-- The company's own number at Skatteverket, which payments of tax and VAT bear. Instant: no default.
alter table restricted.company
  add column tax_ocr text,
  add constraint company_tax_ocr_form check (tax_ocr ~ '^[0-9]{2,25}$');

create table purchases.payment_files (
  id uuid not null,
  -- By which people speak of it.
  number integer generated always as identity,
  account_id uuid not null,
  -- MsgId: by which the bank answers.
  message_id text not null,
  content bytea not null,
  sha256 bytea not null,
  -- It pays somebody on another account than the last time, and two people or more may pay.
  needs_second_person boolean not null default false,
  created_at timestamptz not null default now(),
  created_by text not null,
  approved_at timestamptz,
  approved_by text,
  sent_at timestamptz,
  sent_by text,
  cancelled_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  constraint payment_files_pkey primary key (id),
  constraint payment_files_number_key unique (number),
  constraint payment_files_message_key unique (message_id),
  constraint payment_files_account_fkey foreign key (account_id) references bank.accounts,
  constraint payment_files_message_form check (message_id ~ '^[A-Za-z0-9-]{1,35}$'),
  constraint payment_files_approved check ((approved_at is null) = (approved_by is null)),
  constraint payment_files_sent check ((sent_at is null) = (sent_by is null)),
  constraint payment_files_cancelled check ((cancelled_at is null) = (cancelled_by is null)),
  constraint payment_files_cancelled_has_reason
    check (case when cancelled_at is null or sent_at is null then true else cancel_reason is not null end),
  constraint payment_files_reason_length check (char_length(cancel_reason) between 1 and 500),
  -- Nobody says yes to what they have made themselves.
  constraint payment_files_approved_by_another check (approved_by <> created_by)
);
create index payment_files_open on purchases.payment_files (id) where sent_at is null and cancelled_at is null;

-- One payment that the bank is asked to make: so much to one payee on one day.
create table purchases.payouts (
  id uuid not null,
  file_id uuid not null,
  place integer not null,
  -- EndToEndId, which comes back in the bank's statements; and PmtInfId, by which a bank may book several as one.
  end_to_end_id text not null,
  block_id text not null,
  execution_on date not null,
  amount_ore bigint not null,
  -- Of an outlay neither, but a name: who laid it out. Of tax none of them.
  supplier_id uuid,
  laid_out_by text,
  payee_name text not null,
  payee_kind text not null,
  payee_number text not null,
  ocr text,
  message text,
  -- Paid on another account than the last time; the database says.
  is_payee_changed boolean not null default false,
  accepted_at timestamptz,
  refused_at timestamptz,
  -- The bank's code, and its words.
  refusal text,
  -- What books it.
  voucher_id uuid,
  constraint payouts_pkey primary key (id),
  constraint payouts_place_key unique (file_id, place),
  constraint payouts_end_to_end_id_key unique (end_to_end_id),
  constraint payouts_file_fkey foreign key (file_id) references purchases.payment_files,
  constraint payouts_supplier_fkey foreign key (supplier_id) references purchases.suppliers,
  constraint payouts_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint payouts_amount_is_positive check (amount_ore > 0),
  constraint payouts_end_to_end_id_form check (end_to_end_id ~ '^[A-Za-z0-9-]{1,35}$'),
  constraint payouts_block_id_form check (block_id ~ '^[A-Za-z0-9-]{1,35}$'),
  constraint payouts_of_one check (num_nonnulls(supplier_id, laid_out_by) <= 1),
  constraint payouts_payee_kind_known check (payee_kind in ('bankgiro', 'plusgiro', 'iban', 'other')),
  constraint payouts_payee_number_form check (payee_number ~ '^[A-Z0-9]{2,34}$'),
  constraint payouts_ocr_form check (ocr ~ '^[0-9]{2,25}$'),
  constraint payouts_refused_or_booked check (refused_at is null or voucher_id is null),
  constraint payouts_refused_has_reason check ((refused_at is null) = (refusal is null)),
  constraint payouts_refusal_length check (char_length(refusal) between 1 and 500)
);
create index payouts_by_supplier on purchases.payouts (supplier_id, id) where supplier_id is not null;
create index payouts_by_voucher on purchases.payouts (voucher_id) where voucher_id is not null;
create index payouts_waiting on purchases.payouts (file_id) where voucher_id is null and refused_at is null;

-- So much of an invoice, below zero of a credit note that is set off; or a tax that falls due.
create table purchases.payout_parts (
  payout_id uuid not null,
  place integer not null,
  invoice_id uuid,
  -- As in `vat 2026-09-30` or `payroll 2026-10`.
  tax text,
  amount_ore bigint not null,
  -- The bank may still pay it: nothing stands in two payouts that it may.
  is_live boolean not null default true,
  constraint payout_parts_pkey primary key (payout_id, place),
  constraint payout_parts_payout_fkey foreign key (payout_id) references purchases.payouts,
  constraint payout_parts_invoice_fkey foreign key (invoice_id) references purchases.invoices,
  constraint payout_parts_of_one check (num_nonnulls(invoice_id, tax) = 1),
  constraint payout_parts_tax_form check (tax ~ '^(vat [0-9]{4}-[0-9]{2}-[0-9]{2}|payroll [0-9]{4}-[0-9]{2})$'),
  constraint payout_parts_amount_not_zero check (amount_ore <> 0)
);
create unique index payout_parts_invoice_once on purchases.payout_parts (invoice_id) where is_live and invoice_id is not null;
create unique index payout_parts_tax_once on purchases.payout_parts (tax) where is_live and tax is not null;
create index payout_parts_by_invoice on purchases.payout_parts (invoice_id) where invoice_id is not null;

create trigger people_are_named before insert on purchases.payment_files
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger payment_files_are_guarded before insert or update or delete on purchases.payment_files
  for each row execute function purchases.guard_payment_file();
create trigger payment_files_are_never_emptied before truncate on purchases.payment_files
  for each statement execute function purchases.refuse_change();
create constraint trigger changes_are_written_down after insert or update on purchases.payment_files
  deferrable initially deferred for each row execute function audit.require_event('^payment_file\.');
create trigger payment_files_free_their_parts after update of cancelled_at on purchases.payment_files
  for each row execute function purchases.keep_live_parts();
create trigger payment_files_are_told after insert on purchases.payment_files
  for each row execute function events.note_payment_file();
create trigger payouts_are_guarded before insert or update or delete on purchases.payouts
  for each row execute function purchases.guard_payout();
create trigger payouts_are_never_emptied before truncate on purchases.payouts
  for each statement execute function purchases.refuse_change();
create trigger payouts_free_their_parts after update of refused_at, voucher_id on purchases.payouts
  for each row execute function purchases.keep_live_parts();
create constraint trigger payouts_are_their_parts after insert on purchases.payouts
  deferrable initially deferred for each row execute function purchases.require_whole_payout();
create trigger payout_parts_are_judged before insert or update or delete on purchases.payout_parts
  for each row execute function purchases.judge_payout_part();
create trigger payout_parts_are_never_emptied before truncate on purchases.payout_parts
  for each statement execute function purchases.refuse_change();
-- After payments_settle: what is then left is what a file may still pay.
create trigger payouts_are_followed after insert on purchases.payments
  referencing new table as added for each statement execute function purchases.follow_payouts();

alter table purchases.payment_files enable row level security;
create policy people_read on purchases.payment_files for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.payment_files to hb_app using ((select app.may('keep_books')));
alter table purchases.payouts enable row level security;
create policy people_read on purchases.payouts for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.payouts to hb_app using ((select app.may('keep_books')));
alter table purchases.payout_parts enable row level security;
create policy people_read on purchases.payout_parts for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.payout_parts to hb_app using ((select app.may('keep_books')));

alter table events.outbox drop constraint outbox_type_known;
alter table events.outbox add constraint outbox_type_known check (type in ('voucher.posted', 'invoice.drafted',
  'invoice.booked', 'invoice.paid', 'order.received', 'order.rejected', 'e_invoice.received', 'bank.imported',
  'payment_file.created'));
