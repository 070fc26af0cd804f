-- A filed period keeps a return that holds: the last one is taken back with the filing, whoever does it. And a day of filing is
-- one that people can read. Takes a short lock on the returns.
-- functions: ledger.require_standing_return
create constraint trigger filings_have_a_return after update on ledger.vat_returns
  deferrable initially deferred for each row execute function ledger.require_standing_return();
alter table ledger.vat_returns add constraint vat_returns_filed_within_ten_years check (filed_on < period_end + 3653);
