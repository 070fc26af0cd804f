-- What an account settles an invoice as; null when nothing can come through it. Accounts of more than
-- four digits are parts of the BAS account that they begin with. The same list as
-- src/domain/settlement-accounts.ts.
create or replace function sales.settlement_kind(p_account integer) returns text
language sql immutable strict parallel safe as $$
  select case
    when bas between 1900 and 1999 or bas = 1630 or bas between 1680 and 1689
      or bas in (2013, 2018, 2421, 2893) then 'money'
    when bas = 3740 then 'rounding'
    when bas = 6570 then 'bank_fee'
    when bas between 6350 and 6359 then 'loss'
    when bas in (3960, 7960) then 'exchange' end
  from (select left(p_account::text, 4)::integer as bas) as account
$$;
