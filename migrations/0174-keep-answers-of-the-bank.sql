-- What the bank has answered to payment files (pain.002), as it came: bokföringslagen 7 kap. New table.
-- functions: audit.stamp_created, purchases.refuse_change
create table purchases.bank_answers (
  file_id uuid not null,
  sha256 bytea not null,
  content bytea not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint bank_answers_pkey primary key (file_id, sha256),
  constraint bank_answers_file_fkey foreign key (file_id) references purchases.payment_files,
  constraint bank_answers_hash_is_true check (sha256 = sha256(content)),
  constraint bank_answers_size check (octet_length(content) between 1 and 10485760)
);
create trigger people_are_named before insert on purchases.bank_answers
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger bank_answers_are_kept before update or delete or truncate on purchases.bank_answers
  for each statement execute function purchases.refuse_change();

alter table purchases.bank_answers enable row level security;
create policy people_read on purchases.bank_answers for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.bank_answers to hb_app using ((select app.may('keep_books')));
