-- Accounts (BAS) that money is booked on without a document of its own: what is settled stands there by another voucher,
-- which has its document, or the bank itself charges or pays it and says so in its statement. An account of more than four
-- digits is part of the BAS account that it begins with.
create or replace function bank.is_settling_account(p_account integer) returns boolean language sql immutable as $$
  select bas between 1580 and 1589 or bas between 1680 and 1689 -- what card acquirers and payment services owe
    or bas between 1630 and 1639 -- the tax account
    or bas between 2010 and 2049 -- what a sole trader or partners take out, put in, and pay their own tax with
    or bas = 2420 -- what customers have paid too much
    or bas between 2510 and 2519 or bas between 2650 and 2659 -- income tax; VAT that is settled
    or bas between 2710 and 2719 or bas between 2730 and 2739 -- tax withheld from wages; employer's contributions
    or bas between 2820 and 2829 -- wages owed, by the payroll's voucher
    or bas between 6570 and 6579 -- the bank's charges
    or bas between 8310 and 8319 or bas between 8410 and 8429 -- interest
  from (select left(p_account::text, 4)::integer as bas) as account
$$;
