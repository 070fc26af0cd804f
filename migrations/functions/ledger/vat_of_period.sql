-- What a period's VAT brought and what its settlements have moved, by account, 2650 too: a settlement that
-- comes after another then brings 2650 to box 49 of the whole return, whose öre are dropped once a box.
-- Debit less credit, öre.
create or replace function ledger.vat_of_period(p_start date, p_end date)
returns table (account integer, vat_box text, brought_ore bigint, settled_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive settling as (
    select s.voucher_id as id from ledger.vat_settlements s where s.period_end = p_end
    union
    select j.voucher_id from ledger.settlement_judgements j where j.period_end = p_end
    union
    select part.id from settling
    join ledger.corrections c on c.corrected_id = settling.id
    cross join lateral (values (c.reversal_id), (c.replacement_id)) as part (id)
    where part.id is not null
  ), moved as (
    select c.account, c.vat_box, c.debit_ore - c.credit_ore as brought_ore, 0 as settled_ore
    from ledger.vat_changes(p_start, p_end) c
    union all
    select r.account, a.vat_box, 0, r.debit_ore - r.credit_ore
    from settling join ledger.voucher_rows r on r.voucher_id = settling.id
    join ledger.accounts a on a.number = r.account
    where r.account between 2610 and 2650
  )
  select m.account, m.vat_box, sum(m.brought_ore)::bigint, sum(m.settled_ore)::bigint
  from moved m group by m.account, m.vat_box
$$;
