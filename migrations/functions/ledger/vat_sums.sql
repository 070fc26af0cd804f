-- What counts in the VAT return of the days, by account and the rows' VAT code, with the box it counts in (null: none).
-- On accounts of output and input VAT all that is posted counts, in the account's box whatever the code; elsewhere the
-- code tells the box. Whole months are kept sums, days of others are read from the rows.
create or replace function ledger.vat_sums(p_from date, p_to date)
returns table (account integer, vat_code text, box text, rate integer, debit_ore bigint, credit_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with whole as (
    select date_trunc('month', p_from + interval '1 month' - interval '1 day')::date as first,
      date_trunc('month', p_to + 1)::date as after
  ), days as (
    -- Either side of the whole months; where there are none, all of them.
    select d.first, d.last from whole w
    cross join lateral (values
      (p_from, case when w.first < w.after then w.first - 1 else p_to end),
      (case when w.first < w.after then w.after end, p_to)) as d (first, last)
    where d.first <= d.last
  ), posted as (
    select b.account, b.vat_code, b.debit_ore, b.credit_ore
    from ledger.month_balances b cross join whole w
    where not b.is_beside_vat and b.month >= w.first and b.month < w.after
    union all
    select r.account, coalesce(r.vat_code, ''), r.debit_ore, r.credit_ore
    from days d
    join ledger.vouchers v on v.verification_date between d.first and d.last
    join ledger.voucher_rows r on r.voucher_id = v.id
    where not ledger.stands_beside_vat(v.source)
    union all
    select r.account, coalesce(r.vat_code, ''), -r.debit_ore, -r.credit_ore
    from ledger.counted_elsewhere() e
    join ledger.voucher_rows r on r.voucher_id = e.voucher_id
    where not e.is_kept and r.verification_date between p_from and p_to
  ), codes as (
    select distinct on (a.vat_code) a.vat_code, a.vat_box, a.vat_rate from ledger.accounts a
    where a.vat_box is not null and a.number not between 2610 and 2650
    order by a.vat_code, a.number
  )
  select p.account, nullif(p.vat_code, ''),
    case when ledger.is_vat_account(p.account) then a.vat_box
      when p.account not between 2610 and 2650 then c.vat_box end,
    case when p.account not between 2610 and 2650 then c.vat_rate end,
    sum(p.debit_ore)::bigint, sum(p.credit_ore)::bigint
  from posted p
  join ledger.accounts a on a.number = p.account
  left join codes c on c.vat_code = p.vat_code
  group by 1, 2, 3, 4
  having sum(p.debit_ore) <> 0 or sum(p.credit_ore) <> 0
$$;
