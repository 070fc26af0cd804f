-- Vouchers that the bank's kept statement documents, with those that what has become of them since documents otherwise
-- (bank.documented_by_statements), count as having their document. Those of before follow: some seconds for each
-- hundred thousand rows of the bank's, while nobody books.
-- functions: ledger.has_own_document, ledger.wants_document, ledger.count_attached, ledger.hold_documents, sales.settlement_kind
-- functions: bank.is_settling_account, bank.documented_by_statements, bank.hold_documents, bank.hold_documents_of

-- Kept as it was when the voucher was matched: a bank account that is added later changes nothing of it.
create table ledger.held_documents (
  voucher_id uuid not null,
  constraint held_documents_pkey primary key (voucher_id),
  constraint held_documents_voucher_fkey foreign key (voucher_id) references ledger.vouchers
);
alter table ledger.held_documents enable row level security;
create policy people_read on ledger.held_documents for select to hb_app using ((select app.may('read')));
create policy worker_reads on ledger.held_documents for select to hb_worker using (true);

lock table ledger.attachments in share row exclusive mode;
lock table ledger.corrections in share row exclusive mode;
lock table bank.transactions in share row exclusive mode;
lock table bank.undone_bookings in share row exclusive mode;
lock table sales.payments in share row exclusive mode;
lock table purchases.payments in share row exclusive mode;

create trigger documents_are_held after update on bank.transactions
  referencing old table as before new table as after
  for each statement execute function bank.hold_documents();
create trigger documents_are_held after insert on bank.undone_bookings
  for each row execute function bank.hold_documents_of('voucher_id', 'taken_back_by');
create trigger documents_are_held after insert on sales.payments
  for each row when (new.kind = 'set_off') execute function bank.hold_documents_of('voucher_id');
create trigger documents_are_held after insert on purchases.payments
  for each row when (new.kind = 'set_off') execute function bank.hold_documents_of('voucher_id');

select ledger.hold_documents(vouchers, array(select bank.documented_by_statements(vouchers)))
from (select array_agg(found.id) as vouchers from (
  select t.voucher_id as id from bank.transactions t where t.voucher_id is not null
  union select unnest(array[u.voucher_id, u.taken_back_by]) from bank.undone_bookings u
  union select c.corrected_id from ledger.corrections c
  union select p.voucher_id from sales.payments p where p.kind = 'set_off'
  union select p.voucher_id from purchases.payments p where p.kind = 'set_off') as found) as known
where vouchers is not null;
