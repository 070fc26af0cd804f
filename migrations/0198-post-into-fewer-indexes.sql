-- Two indexes less to write for each voucher and each of its rows: (series, date, number), and the same within an account.
-- What is asked of one series is found by skipping day by day in the index by date (PostgreSQL 18), or by reading past the
-- entries of the others (before). The other indexes by date hold every entry once, so looking for equal ones to put
-- together, each time that a page is full, finds nothing. Nothing is written anew: it takes as long as getting the locks.
drop index ledger.vouchers_by_series;
drop index ledger.voucher_rows_by_account_and_series;
alter index ledger.vouchers_by_date set (deduplicate_items = off);
alter index ledger.voucher_rows_by_account set (deduplicate_items = off);
