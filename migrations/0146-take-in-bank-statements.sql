-- Accounts of several kinds, and statements of banks taken in from their files: which rows each brought, what the bank
-- says an account held day by day, and who has signed that books and bank agree. Takes short locks on the bank's tables.
-- functions: audit.stamp_created, bank.refuse_change

alter table bank.accounts add column kind text not null default 'bank';
-- How the bank's files name the account: its IBAN, else clearing and account number (of the tax account the company's
-- number), or its bankgiro. Digits alone, but for the IBAN.
alter table bank.accounts add column number text;
alter table bank.accounts add column bankgiro text;
-- Two accounts with one IBAN were two names of one: the first keeps it.
update bank.accounts a set iban = null where exists (select from bank.accounts b
  where upper(replace(b.iban, ' ', '')) = upper(replace(a.iban, ' ', '')) and b.ledger_account < a.ledger_account);
update bank.accounts set iban = upper(replace(iban, ' ', '')) where iban is not null;
alter table bank.accounts add constraint accounts_kind_known check (kind in ('bank', 'tax', 'cash', 'clearing'));
alter table bank.accounts add constraint accounts_iban_key unique (iban);
alter table bank.accounts add constraint accounts_number_key unique (number);
alter table bank.accounts add constraint accounts_bankgiro_key unique (bankgiro);
alter table bank.accounts add constraint accounts_number_form check (number ~ '^[0-9]{5,34}$');
alter table bank.accounts add constraint accounts_bankgiro_form check (bankgiro ~ '^[0-9]{7,8}$');
alter table bank.accounts drop constraint accounts_ledger_account_is_money;
alter table bank.accounts add constraint accounts_ledger_account_is_money check (case kind
  when 'tax' then ledger_account between 1630 and 1639
  when 'clearing' then ledger_account between 1500 and 1699
  else ledger_account between 1900 and 1999 end);

-- Files as they came, compressed (gzip): what a bank row rests on (BFL 7:1).
create table bank.files (
  sha256 bytea not null,
  file_name text not null,
  size bigint not null,
  gzip bytea not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint files_pkey primary key (sha256),
  constraint files_name_length check (char_length(file_name) between 1 and 200),
  constraint files_size check (octet_length(gzip) <= 104857600)
);
alter table bank.files alter column gzip set storage external;

-- Files that were sent together. Looked at until somebody asks for them to be taken in; then a worker does, and the
-- report says what became of each statement.
create table bank.imports (
  id uuid not null,
  -- Of files that do not name their account.
  account_id uuid,
  -- Whether somebody has looked at what is in doubt, and what rows are that may be there already.
  is_accepted boolean not null default false,
  equal_rows text,
  asked_at timestamptz,
  read_bytes bigint not null default 0,
  failed_at timestamptz,
  refusal jsonb,
  finished_at timestamptz,
  report jsonb,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint imports_pkey primary key (id),
  constraint imports_account_fkey foreign key (account_id) references bank.accounts,
  constraint imports_equal_rows_known check (equal_rows in ('new', 'known')),
  constraint imports_refused_when_failed check (refusal is null or failed_at is not null),
  constraint imports_finished_with_report check ((finished_at is null) = (report is null))
);
create index imports_by_time on bank.imports (created_at);

create table bank.import_files (
  import_id uuid not null,
  place integer not null,
  sha256 bytea not null,
  file_name text not null,
  constraint import_files_pkey primary key (import_id, place),
  constraint import_files_import_fkey foreign key (import_id) references bank.imports on delete cascade,
  constraint import_files_file_fkey foreign key (sha256) references bank.files,
  constraint import_files_name_length check (char_length(file_name) between 1 and 200)
);
create index import_files_by_file on bank.import_files (sha256);

-- A statement as the bank sent it. A notice (camt.054) details rows of statements, and has no balances.
create table bank.imported_statements (
  id uuid not null,
  import_id uuid not null,
  account_id uuid not null,
  sha256 bytea,
  -- Which of the file's it is, from 1.
  place integer not null,
  format text not null,
  -- The bank's own name and number of it.
  bank_id text,
  sequence bigint,
  is_notice boolean not null,
  -- The days it covers; of its entries where it does not say.
  first_day date,
  last_day date,
  opening_ore bigint,
  closing_ore bigint,
  entries integer not null,
  -- Of its entries, those that were not known before.
  added integer not null,
  created_at timestamptz not null default now(),
  constraint imported_statements_pkey primary key (id),
  constraint imported_statements_import_fkey foreign key (import_id) references bank.imports,
  constraint imported_statements_account_fkey foreign key (account_id) references bank.accounts,
  constraint imported_statements_file_fkey foreign key (sha256) references bank.files
);
create index imported_statements_by_account on bank.imported_statements (account_id, last_day);
create index imported_statements_by_import on bank.imported_statements (import_id);

-- What an account's statements say of a day, put together: its balance before and after those of its rows that are
-- known, and whether those are known to begin and to end the day (src/domain/ledger/bank-statements/merging.ts).
create table bank.days (
  account_id uuid not null,
  day date not null,
  opening_ore bigint,
  closing_ore bigint,
  is_from_start boolean not null,
  is_to_end boolean not null,
  constraint days_pkey primary key (account_id, day),
  constraint days_account_fkey foreign key (account_id) references bank.accounts
);

-- Rows out of statements; those that a person typed have none.
alter table bank.transactions add column statement_id uuid;
alter table bank.transactions add column line integer;
alter table bank.transactions add column value_date date;
alter table bank.transactions add column balance_after_ore bigint;
alter table bank.transactions add column bank_reference text;
alter table bank.transactions add column servicer_reference text;
alter table bank.transactions add column code text;
alter table bank.transactions add column is_reversal boolean not null default false;
alter table bank.transactions add constraint transactions_statement_fkey
  foreign key (statement_id) references bank.imported_statements;
create index transactions_by_day on bank.transactions (account_id, booked_on);
create index transactions_by_statement on bank.transactions (statement_id) where statement_id is not null;

-- An entry of a notice: told of, perhaps before it stands in a statement, and never a row of its own.
create table bank.announcements (
  id uuid not null,
  account_id uuid not null,
  statement_id uuid not null,
  -- Which among equal ones it is, from 1.
  fingerprint bytea not null,
  ordinal integer not null,
  booked_on date not null,
  amount_ore bigint not null,
  description text not null,
  bank_reference text,
  servicer_reference text,
  -- The row that it details, once there is one.
  transaction_id uuid,
  constraint announcements_pkey primary key (id),
  constraint announcements_once unique (account_id, fingerprint, ordinal),
  constraint announcements_account_fkey foreign key (account_id) references bank.accounts,
  constraint announcements_statement_fkey foreign key (statement_id) references bank.imported_statements,
  constraint announcements_transaction_fkey foreign key (transaction_id) references bank.transactions
);
create index announcements_waiting on bank.announcements (account_id, booked_on) where transaction_id is null;
create index announcements_by_transaction on bank.announcements (transaction_id) where transaction_id is not null;

-- One payment within a row or an announcement; a bankgiro deposit has many.
create table bank.details (
  transaction_id uuid,
  announcement_id uuid,
  place integer not null,
  -- With the row's own sign; null when the bank does not say.
  amount_ore bigint,
  currency text,
  end_to_end_id text,
  batch_id text,
  payment_id text,
  servicer_reference text,
  -- OCR and other creditor's references.
  creditor_references text[] not null,
  -- Invoices that the payer named: number, and kind (CINV, CREN).
  documents jsonb not null,
  texts text[] not null,
  -- name, account, accountKind.
  debtor jsonb not null,
  creditor jsonb not null,
  return_reason text,
  constraint details_of_one check (num_nonnulls(transaction_id, announcement_id) = 1),
  constraint details_transaction_fkey foreign key (transaction_id) references bank.transactions,
  constraint details_announcement_fkey foreign key (announcement_id) references bank.announcements
);
create unique index details_by_transaction on bank.details (transaction_id, place) where transaction_id is not null;
create unique index details_by_announcement on bank.details (announcement_id, place) where announcement_id is not null;

-- That a person has held books against bank at the end of a day, and what it then came to. It stands for as long as it
-- comes to the same (src/bank/statements/bridge.ts).
create table bank.sign_offs (
  id uuid not null,
  account_id uuid not null,
  day date not null,
  summary jsonb not null,
  note text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint sign_offs_pkey primary key (id),
  constraint sign_offs_account_fkey foreign key (account_id) references bank.accounts,
  constraint sign_offs_note_length check (char_length(note) <= 500)
);
create index sign_offs_by_day on bank.sign_offs (account_id, day);

create trigger people_are_named before insert on bank.files
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_are_named before insert on bank.imports
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_are_named before insert on bank.sign_offs
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger sign_offs_are_immutable before update or delete or truncate on bank.sign_offs
  for each statement execute function bank.refuse_change();
create trigger details_are_immutable before update or delete or truncate on bank.details
  for each statement execute function bank.refuse_change();
create trigger imported_statements_are_immutable before update or delete or truncate on bank.imported_statements
  for each statement execute function bank.refuse_change();

alter table bank.files enable row level security;
create policy people_read on bank.files for select to hb_app using ((select app.may('read')));
create policy people_write on bank.files to hb_app using ((select app.may('keep_books')));
alter table bank.imports enable row level security;
create policy people_read on bank.imports for select to hb_app using ((select app.may('read')));
create policy people_write on bank.imports to hb_app using ((select app.may('keep_books')));
create policy workers_work on bank.imports to hb_worker using (true);
alter table bank.import_files enable row level security;
create policy people_read on bank.import_files for select to hb_app using ((select app.may('read')));
create policy people_write on bank.import_files to hb_app using ((select app.may('keep_books')));
alter table bank.imported_statements enable row level security;
create policy people_read on bank.imported_statements for select to hb_app using ((select app.may('read')));
alter table bank.days enable row level security;
create policy people_read on bank.days for select to hb_app using ((select app.may('read')));
alter table bank.announcements enable row level security;
create policy people_read on bank.announcements for select to hb_app using ((select app.may('read')));
alter table bank.details enable row level security;
create policy people_read on bank.details for select to hb_app using ((select app.may('read')));
alter table bank.sign_offs enable row level security;
create policy people_read on bank.sign_offs for select to hb_app using ((select app.may('read')));
create policy people_write on bank.sign_offs to hb_app using ((select app.may('keep_books')));

alter table events.outbox drop constraint outbox_type_known;
alter table events.outbox add constraint outbox_type_known check (type in ('voucher.posted', 'invoice.drafted',
  'invoice.booked', 'invoice.paid', 'order.received', 'order.rejected', 'e_invoice.received', 'bank.imported'));
