-- What people say of rows of the bank that begin alike, and by what rows are found that say the same as others.
-- functions: audit.stamp_created, bank.refuse_change, bank.guard_matches, bank.ask_for_booking
create table bank.rules (
  id uuid primary key,
  -- A row's text begins with it, whatever the case.
  text text not null constraint rules_text_length check (char_length(text) between 3 and 100),
  -- Which way the money goes; null is either.
  direction text constraint rules_direction_known check (direction in ('in', 'out')),
  account integer not null constraint rules_account_fkey references ledger.accounts (number),
  created_at timestamptz not null default now(),
  created_by text not null
);
create unique index rules_once on bank.rules (lower(text), coalesce(direction, ''));
create trigger people_are_named before insert on bank.rules for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();

-- Vouchers of payments that were taken back together with the rows they booked, and what took each back.
create table bank.undone_bookings (
  voucher_id uuid primary key constraint undone_bookings_voucher_fkey references ledger.vouchers (id),
  taken_back_by uuid not null unique constraint undone_bookings_taken_back_by_fkey references ledger.vouchers (id),
  created_at timestamptz not null default now(),
  created_by text not null
);
create trigger people_are_named before insert on bank.undone_bookings for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger undone_bookings_are_immutable before update or delete or truncate on bank.undone_bookings
  for each statement execute function bank.refuse_change();

-- All rows that a statement matches are judged at once: hundreds are booked together.
drop trigger transactions_are_guarded on bank.transactions;
create trigger transactions_are_guarded after delete on bank.transactions
  for each row execute function bank.guard_transaction();
create trigger matches_are_guarded after update on bank.transactions
  referencing old table as before new table as after
  for each statement execute function bank.guard_matches();

-- Who has paid from an account before.
create index details_by_payer on bank.details ((debtor ->> 'account')) where debtor ->> 'account' is not null;
-- How rows that begin alike were booked.
create index transactions_alike on bank.transactions (left(lower(description), 10)) where voucher_id is not null;
-- Whether what is exact is booked without a person, when a statement has come.
alter table restricted.company add column bank_booking_is_automatic boolean not null default false;
create trigger exact_rows_are_booked after insert on bank.imported_statements
  for each statement execute function bank.ask_for_booking();

alter table bank.rules enable row level security;
create policy people_read on bank.rules for select to hb_app using ((select app.may('read')));
create policy people_write on bank.rules to hb_app using ((select app.may('keep_books')));
alter table bank.undone_bookings enable row level security;
create policy people_read on bank.undone_bookings for select to hb_app using ((select app.may('read')));
create policy people_write on bank.undone_bookings to hb_app using ((select app.may('keep_books')));
