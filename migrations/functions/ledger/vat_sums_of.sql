-- ledger.vat_sums of the accounts from the first to the last, for whoever asks for few of them.
create or replace function ledger.vat_sums_of(p_from date, p_to date, p_first integer, p_last integer)
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
  ), counted as materialized (
    select e.voucher_id, e.is_kept, e.counts_on from ledger.counted_elsewhere() e
  ), elsewhere as (
    select r.account, r.vat_code, r.debit_ore, r.credit_ore,
      -- Taken from where it stands, and added where it counts.
      (e.counts_on is not null and e.counts_on between p_from and p_to)::integer
        - (not e.is_kept and r.verification_date between p_from and p_to)::integer as times
    from counted e join ledger.voucher_rows r on r.voucher_id = e.voucher_id
    where r.account between p_first and p_last
  ), posted as (
    select b.account, b.vat_code, b.debit_ore, b.credit_ore
    from ledger.month_balances b cross join whole w
    where b.account between p_first and p_last and not b.is_beside_vat and b.month >= w.first and b.month < w.after
    union all
    select r.account, coalesce(r.vat_code, ''), r.debit_ore, r.credit_ore
    from days d
    cross join ledger.accounts a
    join ledger.voucher_rows r on r.account = a.number and r.verification_date between d.first and d.last
    where a.number between p_first and p_last
      and not exists (select from counted e where e.voucher_id = r.voucher_id and e.is_kept)
    union all
    select e.account, coalesce(e.vat_code, ''), e.times * e.debit_ore, e.times * e.credit_ore
    from elsewhere e where e.times <> 0
  ), summed as (
    select p.account, nullif(p.vat_code, '') as vat_code, sum(p.debit_ore)::bigint as debit_ore,
      sum(p.credit_ore)::bigint as credit_ore
    from posted p group by p.account, p.vat_code
    having sum(p.debit_ore) <> 0 or sum(p.credit_ore) <> 0
  )
  select s.account, s.vat_code, b.box, b.rate, s.debit_ore, s.credit_ore
  from summed s left join lateral ledger.vat_box(s.account, s.vat_code) as b on true
$$;
