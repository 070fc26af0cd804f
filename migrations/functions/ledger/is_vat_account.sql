-- BAS: output and input VAT, where all that is posted counts in the VAT return, whatever VAT code the chart
-- gives the account. VAT that waits for payment (26x8, bokslutsmetoden) is not due.
create or replace function ledger.is_vat_account(p_account integer) returns boolean language sql immutable as $$
  select p_account between 2610 and 2649 and p_account not in (2618, 2628, 2638, 2648)
$$;
