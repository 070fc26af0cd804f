-- What reports are summed of, for keys that read vouchers: the chart of accounts and the kept sums by month. Both can be
-- reckoned of what such a key reads already. Takes a short lock on each table.
create policy key_reads on ledger.accounts for select to hb_api using ((select api.require_key('data:read')));
create policy key_reads on ledger.month_balances for select to hb_api using ((select api.require_key('data:read')));
