-- Rows of one account that people have said settle each other (avprickning): nothing is posted by it, so no lock is in its
-- way, and it may be undone. What documents know of each other is not kept here: it is read from them. New tables.
-- functions: audit.stamp_created, ledger.judge_pairings
create table ledger.pairings (
  id uuid not null,
  account integer not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint pairings_pkey primary key (id),
  constraint pairings_account_fkey foreign key (account) references ledger.accounts (number)
);
create index pairings_by_account on ledger.pairings (account, created_at);

-- So much of a row, debit above zero. Without a foreign key to rows, which nobody removes but whoever begins the books
-- anew (ledger.begin_anew): the trigger looks for them.
create table ledger.paired_rows (
  pairing_id uuid not null,
  voucher_id uuid not null,
  row_no integer not null,
  amount_ore bigint not null,
  constraint paired_rows_pkey primary key (pairing_id, voucher_id, row_no),
  constraint paired_rows_pairing_fkey foreign key (pairing_id) references ledger.pairings on delete cascade,
  constraint paired_rows_amount_not_zero check (amount_ore <> 0)
);
create index paired_rows_by_row on ledger.paired_rows (voucher_id, row_no);

create trigger people_are_named before insert on ledger.pairings for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger pairings_are_judged after insert on ledger.paired_rows
  referencing new table as added for each statement execute function ledger.judge_pairings();

alter table ledger.pairings enable row level security;
create policy people_read on ledger.pairings for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.pairings to hb_app using ((select app.may('keep_books')));
alter table ledger.paired_rows enable row level security;
create policy people_read on ledger.paired_rows for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.paired_rows to hb_app using ((select app.may('keep_books')));
