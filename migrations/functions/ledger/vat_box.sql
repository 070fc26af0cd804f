-- The box of the VAT return that a row counts in, with the rate of its code; null where it counts in none. On accounts of
-- output and input VAT the account tells the box, whatever the code; elsewhere the row's code does, whatever the account.
create or replace function ledger.vat_box(p_account integer, p_vat_code text)
returns table (box text, rate integer)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select found.vat_box, found.vat_rate from (
    select a.vat_box, null::integer as vat_rate from ledger.accounts a
    where a.number = p_account and ledger.is_vat_account(p_account)
    union all
    (select a.vat_box, a.vat_rate from ledger.accounts a
    where a.vat_code = p_vat_code and a.vat_box is not null and a.number not between 2610 and 2650
      and p_account not between 2610 and 2650
    order by a.number limit 1)) as found
$$;
