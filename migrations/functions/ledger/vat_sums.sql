-- What counts in the VAT return of the days, by account and the rows' VAT code, with the box it counts in (null: none).
-- Whole months are kept sums; days of others, and what counts elsewhere than it stands, are read from the rows.
create or replace function ledger.vat_sums(p_from date, p_to date)
returns table (account integer, vat_code text, box text, rate integer, debit_ore bigint, credit_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select s.account, s.vat_code, s.box, s.rate, s.debit_ore, s.credit_ore
  from ledger.vat_sums_of(p_from, p_to, 0, 9999) s
$$;
