-- Who delivers events reads what each of them tells (events.describe), of a bank import too.
create policy worker_reads on bank.imported_statements for select to hb_worker using (true);
