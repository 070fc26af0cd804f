-- No year comes before a closed one, and no lock is moved and no year closed past a posting in flight, whoever says so by SQL.
-- Takes short locks on ledger.fiscal_years and ledger.locks.
-- functions: ledger.refuse_year_under_closed, ledger.wait_for_postings
create trigger fiscal_years_begin_after_closed after insert on ledger.fiscal_years
  for each row execute function ledger.refuse_year_under_closed();
create trigger fiscal_years_wait_for_postings before update of status on ledger.fiscal_years
  for each statement execute function ledger.wait_for_postings();
create trigger locks_wait_for_postings before update on ledger.locks
  for each statement execute function ledger.wait_for_postings();
