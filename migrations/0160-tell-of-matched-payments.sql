-- Others are told when a row of the bank is booked; and the worker that tells reads what it tells of.
-- functions: events.note_matches
alter table events.outbox drop constraint outbox_type_known;
alter table events.outbox add constraint outbox_type_known check (type in ('voucher.posted', 'invoice.drafted',
  'invoice.booked', 'invoice.paid', 'order.received', 'order.rejected', 'e_invoice.received', 'bank.imported',
  'payment_file.created', 'payment.matched'));
create trigger matches_are_told after update on bank.transactions
  referencing old table as before new table as after
  for each statement execute function events.note_matches();
create policy worker_reads on purchases.payment_files for select to hb_worker using (true);
create policy worker_reads on purchases.payouts for select to hb_worker using (true);
