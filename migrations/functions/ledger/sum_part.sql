-- In which part of its series' sums a voucher counts until they are folded. With more in one, rows have more versions that an
-- open transaction keeps; with less, whoever reads sums goes past more rows that have been folded since it began.
create or replace function ledger.sum_part(p_number integer) returns integer language sql immutable as $$
  select 1 + p_number / 2048
$$;
