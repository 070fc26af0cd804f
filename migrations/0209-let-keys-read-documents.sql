-- Keys with `documents:read` read the documents of vouchers, but for those of staff and of vouchers that people hold back.
-- functions: audit.stamp_created, audit.require_event, ledger.is_personnel_account, ledger.is_closed_to_keys, events.note_documents
-- By which it is asked for.
alter table purchases.attachments add column id uuid not null default gen_random_uuid();
alter table purchases.attachments add constraint attachments_id_key unique (id);

create table ledger.withheld_vouchers (
  voucher_id uuid not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint withheld_vouchers_pkey primary key (voucher_id),
  constraint withheld_vouchers_voucher_fkey foreign key (voucher_id) references ledger.vouchers
);
create trigger people_are_named before insert or update on ledger.withheld_vouchers
  for each row when (session_user = any (array['hb_app'::name, 'hb_worker'::name]))
  execute function audit.stamp_created();
create constraint trigger changes_are_written_down after insert or delete on ledger.withheld_vouchers
  deferrable initially deferred for each row execute function audit.require_event('^voucher\.documents_');
alter table ledger.withheld_vouchers enable row level security;
create policy people_read on ledger.withheld_vouchers for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.withheld_vouchers to hb_app using ((select app.may('keep_books')));

create trigger documents_are_told after insert on ledger.attachments
  referencing new table as changed for each statement execute function events.note_documents();
create trigger documents_are_told after insert on ledger.withheld_vouchers
  referencing new table as changed for each statement execute function events.note_documents();
create trigger documents_are_told_again after delete on ledger.withheld_vouchers
  referencing old table as changed for each statement execute function events.note_documents();
