-- The VAT that the days brought, by account: everything posted on output and input VAT that counts in the return.
create or replace function ledger.vat_changes(p_from date, p_to date)
returns table (account integer, vat_box text, debit_ore bigint, credit_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select s.account, s.box, sum(s.debit_ore)::bigint, sum(s.credit_ore)::bigint
  from ledger.vat_sums_of(p_from, p_to, 2610, 2649) s where ledger.is_vat_account(s.account)
  group by s.account, s.box
$$;
