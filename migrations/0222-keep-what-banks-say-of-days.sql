-- The balance that a statement says of a whole day stays, whoever writes SQL: month ends and sign-offs rest on it. Takes a
-- short lock on bank.statements.
-- functions: bank.told_balance, bank.keep_told_balance
create trigger told_balances_stay before insert or update on bank.statements
  for each row when (session_user = 'hb_app') execute function bank.keep_told_balance();
