-- What the bank says: a row stays what the bank said, and a person says what books it.

create table bank.accounts (
  id uuid not null,
  name text not null,
  ledger_account integer not null,
  iban text,
  is_active boolean not null default true,
  constraint accounts_pkey primary key (id),
  constraint accounts_ledger_account_key unique (ledger_account),
  constraint accounts_ledger_account_fkey foreign key (ledger_account) references ledger.accounts,
  constraint accounts_ledger_account_is_money check (ledger_account between 1900 and 1999),
  constraint accounts_name_length check (char_length(name) between 1 and 100)
);

-- One line of a bank statement. `reference` is the bank's own, by which the same line is known when it
-- comes again. Matched when the voucher that books it is known.
create table bank.transactions (
  id uuid not null,
  account_id uuid not null,
  reference text not null,
  booked_on date not null,
  amount_ore bigint not null,
  description text not null,
  voucher_id uuid,
  matched_at timestamptz,
  matched_by text,
  created_at timestamptz not null default now(),
  constraint transactions_pkey primary key (id),
  constraint transactions_reference_key unique (account_id, reference),
  constraint transactions_account_fkey foreign key (account_id) references bank.accounts,
  constraint transactions_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint transactions_amount_not_zero check (amount_ore <> 0),
  constraint transactions_reference_length check (char_length(reference) between 1 and 200),
  constraint transactions_description_length check (char_length(description) <= 500),
  constraint transactions_match_is_whole check (
    (voucher_id is null) = (matched_at is null) and (voucher_id is null) = (matched_by is null))
);
create index transactions_by_voucher on bank.transactions (voucher_id) where voucher_id is not null;
create index transactions_unmatched on bank.transactions (booked_on) where voucher_id is null;

-- What an account held at the end of a day, by the bank.
create table bank.statements (
  account_id uuid not null,
  closing_date date not null,
  balance_ore bigint not null,
  constraint statements_pkey primary key (account_id, closing_date),
  constraint statements_account_fkey foreign key (account_id) references bank.accounts
);

-- functions: bank.guard_transaction, bank.stamp_match

create trigger people_are_named before insert or update of voucher_id, matched_by, matched_at
  on bank.transactions for each row when (session_user in ('hb_app', 'hb_worker'))
  execute function bank.stamp_match();
create trigger times_are_real before insert or update of created_at on bank.transactions
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_time();
create trigger transactions_are_guarded after update or delete on bank.transactions
  for each row execute function bank.guard_transaction();

alter table bank.accounts enable row level security;
create policy people_read on bank.accounts for select to hb_app using ((select app.may('read')));
create policy people_write on bank.accounts to hb_app using ((select app.may('keep_books')));
create policy workers_work on bank.accounts to hb_worker using (true);
alter table bank.transactions enable row level security;
create policy people_read on bank.transactions for select to hb_app using ((select app.may('read')));
create policy people_write on bank.transactions to hb_app using ((select app.may('keep_books')));
create policy workers_work on bank.transactions to hb_worker using (true);
alter table bank.statements enable row level security;
create policy people_read on bank.statements for select to hb_app using ((select app.may('read')));
create policy people_write on bank.statements to hb_app using ((select app.may('keep_books')));
create policy workers_work on bank.statements to hb_worker using (true);
