-- What a voucher is called where it came from, so that its sender finds it again. Beside the voucher and not in it: what
-- is sealed stays as it was. New and empty; the reference takes a short lock on ledger.vouchers.
-- functions: ledger.refuse_change, api.require_key, app.may
create table ledger.external_ids (
  voucher_id uuid not null,
  external_id text not null,
  constraint external_ids_pkey primary key (voucher_id),
  constraint external_ids_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint external_ids_length check (char_length(external_id) between 1 and 255)
);
create index external_ids_by_text on ledger.external_ids (external_id);
create trigger external_ids_are_immutable before update or delete or truncate on ledger.external_ids
  for each statement execute function ledger.refuse_change();
alter table ledger.external_ids enable row level security;
create policy key_reads on ledger.external_ids for select to hb_api using ((select api.require_key('data:read')));
create policy people_read on ledger.external_ids for select to hb_app using ((select app.may('read')));
