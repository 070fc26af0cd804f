-- Sums are written by posting alone, which holds the series, and a series that has vouchers stays (ledger.refuse_if_in_use):
-- asked for each new row of sums, its own row was looked for among all that an open transaction keeps of it.
-- Takes a short lock on the three tables and on ledger.series.
alter table ledger.month_balances drop constraint month_balances_series_fkey;
alter table ledger.month_totals drop constraint month_totals_series_fkey;
alter table ledger.day_revenues drop constraint day_revenues_series_fkey;
