-- The VAT that whole months brought, by account: everything posted on output and input VAT but what
-- settles it or carries it over from before the books, and what takes such vouchers back; those count in no
-- box, on whatever day they stand.
create or replace function ledger.vat_changes(p_from date, p_to date)
returns table (account integer, vat_box text, debit_ore bigint, credit_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with beside as (
    select v.id from ledger.vouchers v
    where v.source in ('vat', 'opening') and v.verification_date between p_from and p_to
    union all
    select back.id from ledger.vouchers v
    join ledger.corrections c on c.corrected_id = v.id
    join ledger.vouchers back on back.id = c.reversal_id
    where v.source in ('vat', 'opening') and back.verification_date between p_from and p_to
  ), posted as (
    select b.account, b.debit_ore, b.credit_ore from ledger.month_balances b
    where b.account between 2610 and 2649 and b.month between p_from and p_to
    union all
    select r.account, -r.debit_ore, -r.credit_ore
    from beside join ledger.voucher_rows r on r.voucher_id = beside.id
    where r.account between 2610 and 2649
  )
  select p.account, a.vat_box, sum(p.debit_ore)::bigint, sum(p.credit_ore)::bigint
  from posted p join ledger.accounts a on a.number = p.account
  where ledger.is_vat_account(p.account)
  group by p.account, a.vat_box
  having sum(p.debit_ore) <> 0 or sum(p.credit_ore) <> 0
$$;
