-- Cash accounts (BAS 1910–1919) that were below zero at the end of a day: the lowest of a span of whole months, and its
-- first day. There is no paying with money that is not there, so a receipt is missing or misdated.
create or replace function ledger.cash_shortfalls(p_first date, p_last date)
returns table (account integer, day date, balance_ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with moved as (
    select b.account, p_first as day, sum(b.debit_ore - b.credit_ore) as ore
    from ledger.month_balances b
    where b.account between 1910 and 1919 and b.month < p_first group by b.account
    union all
    select r.account, r.verification_date, sum(r.debit_ore - r.credit_ore)
    from ledger.voucher_rows r
    where r.account between 1910 and 1919 and r.verification_date between p_first and p_last
    group by r.account, r.verification_date
  ), stood as (
    select m.account, m.day, sum(m.ore) over (partition by m.account order by m.day) as ore from moved m
  )
  select distinct on (s.account) s.account, s.day, s.ore::bigint from stood s
  where s.ore < 0 order by s.account, s.ore, s.day
$$;
