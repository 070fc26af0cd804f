-- What is spread over months is on accounts that may be spread (src/domain/ledger/accrual.ts), never VAT, money or what
-- follows documents: its vouchers stand in no box of the VAT return. And a plan has the postings that it says and no
-- others, whoever writes them. Takes a short lock on the plans, and reads them once.
-- functions: ledger.require_whole_accrual
alter table ledger.accruals add constraint accruals_on_their_accounts check (
  kind = 'depreciation' and result_account between 7700 and 7899 and balance_account between 1000 and 1299
  or kind in ('prepaid_cost', 'accrued_income') and balance_account between 1300 and 1899 and balance_account <> 1510
  or kind in ('accrued_cost', 'prepaid_income') and balance_account <> 2440
    and (balance_account between 2100 and 2599 or balance_account between 2700 and 2999));
alter table ledger.accruals add constraint accruals_of_their_kind check (
  kind in ('prepaid_cost', 'accrued_cost', 'depreciation') and result_account >= 4000
  or kind in ('prepaid_income', 'accrued_income') and (result_account <= 3999 or result_account >= 8000));
alter table ledger.accrual_postings add constraint accrual_postings_places_begin check (place > 0);
create constraint trigger accruals_are_whole after insert or update on ledger.accruals
  deferrable initially deferred for each row execute function ledger.require_whole_accrual();
create constraint trigger accruals_are_whole after insert or delete on ledger.accrual_postings
  deferrable initially deferred for each row execute function ledger.require_whole_accrual();
