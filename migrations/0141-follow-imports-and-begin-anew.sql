-- SIE files that a person has asked for, until they are in the books; what a company had that began anew.
-- functions: audit.stamp_created

-- Asked for, and not in the books yet. Once they are, the import of the same id says the rest; one that failed
-- says why (src/ledger/sie/begun-imports.ts).
create table ledger.begun_imports (
  id uuid not null,
  sha256 bytea not null,
  difference_account integer,
  is_accepted boolean not null,
  -- Of the file's bytes, what the present attempt has posted.
  posted_bytes bigint not null default 0,
  failed_at timestamptz,
  refusal jsonb,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint begun_imports_pkey primary key (id),
  constraint begun_imports_file_fkey foreign key (sha256) references ledger.sie_files,
  constraint begun_imports_refused_when_failed check (refusal is null or failed_at is not null)
);
create index begun_imports_by_file on ledger.begun_imports (sha256);
create trigger people_are_named before insert on ledger.begun_imports
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
alter table ledger.begun_imports enable row level security;
create policy people_read on ledger.begun_imports for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.begun_imports to hb_app using ((select app.may('administer')));
create policy workers_work on ledger.begun_imports to hb_worker using (true);

-- When its vouchers left the books, since the company began anew (ledger.begin_anew).
alter table ledger.imports add column emptied_at timestamptz;
alter table ledger.imports add constraint imports_emptied_are_undone
  check (emptied_at is null or undone_at is not null);
