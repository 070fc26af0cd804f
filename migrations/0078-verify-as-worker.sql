-- The nightly check reads which vouchers settle VAT, and what corrects what. Two policies; each table is locked for
-- a moment.

create policy worker_reads on ledger.vat_settlements for select to hb_worker using (true);
create policy worker_reads on ledger.corrections for select to hb_worker using (true);
