-- What a sole trader or partners take from the account, or put into it, is told whole by the bank's statement. What was
-- matched so before follows.
-- functions: bank.is_settling_account
lock table bank.transactions in share row exclusive mode;
select ledger.hold_documents(vouchers, array(select bank.documented_by_statements(vouchers)))
from (select array_agg(distinct t.voucher_id) as vouchers
  from bank.transactions t join ledger.voucher_rows r on r.voucher_id = t.voucher_id
  where left(r.account::text, 4)::integer between 2010 and 2049) as known
where vouchers is not null;
