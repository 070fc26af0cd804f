-- SIE files that the books have come from, each with the vouchers it became and a report that lasts.
-- functions: ledger.refuse_change, ledger.require_import, audit.require_event, audit.stamp_created

-- Files as they came, compressed (gzip). One that became vouchers belongs to the books (BFL 7:1).
create table ledger.sie_files (
  sha256 bytea not null,
  file_name text not null,
  size bigint not null,
  gzip bytea not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint sie_files_pkey primary key (sha256),
  constraint sie_files_name_length check (char_length(file_name) between 1 and 200),
  constraint sie_files_size check (octet_length(gzip) <= 104857600)
);
alter table ledger.sie_files alter column gzip set storage external;

create table ledger.imports (
  id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  -- What became of it, account by account (src/ledger/sie/importing.ts).
  report jsonb not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  undone_at timestamptz,
  constraint imports_pkey primary key (id),
  constraint imports_file_fkey foreign key (sha256) references ledger.sie_files
);
-- A file is in the books once.
create unique index imports_once on ledger.imports (sha256) where undone_at is null;

-- What each imported voucher was called where it came from; the opening balances have neither series nor
-- number, and no line of their own.
create table ledger.imported_vouchers (
  voucher_id uuid not null,
  import_id uuid not null,
  series text not null,
  number text not null,
  line integer,
  registered_on date,
  signature text,
  constraint imported_vouchers_pkey primary key (voucher_id),
  constraint imported_vouchers_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint imported_vouchers_import_fkey foreign key (import_id) references ledger.imports,
  constraint imported_vouchers_series_length check (char_length(series) <= 100),
  constraint imported_vouchers_number_length check (char_length(number) <= 100),
  constraint imported_vouchers_signature_length check (char_length(signature) <= 100)
);
create index imported_vouchers_by_import on ledger.imported_vouchers (import_id);
create index imported_vouchers_by_label on ledger.imported_vouchers (lower(series || number));

create trigger people_are_named before insert on ledger.sie_files
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_are_named before insert on ledger.imports
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create constraint trigger changes_are_written_down after insert or update on ledger.imports
  deferrable initially deferred for each row execute function audit.require_event('^sie\.');
create trigger imported_vouchers_are_immutable before update or delete or truncate
  on ledger.imported_vouchers for each statement execute function ledger.refuse_change();
-- What people post as imported is of an import.
create constraint trigger imports_have_their_vouchers after insert on ledger.vouchers
  deferrable initially deferred for each row
  when (new.source = 'import')
  execute function ledger.require_import();

alter table ledger.sie_files enable row level security;
create policy people_read on ledger.sie_files for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.sie_files to hb_app using ((select app.may('administer')));
alter table ledger.imports enable row level security;
create policy people_read on ledger.imports for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.imports to hb_app using ((select app.may('administer')));
alter table ledger.imported_vouchers enable row level security;
create policy people_read on ledger.imported_vouchers for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.imported_vouchers to hb_app using ((select app.may('administer')));
