-- The balance of an account at the end of a day: whole months, then the days of the last one.
create or replace function ledger.balance_at(p_account integer, p_day date) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select (coalesce((select sum(b.debit_ore - b.credit_ore) from ledger.month_balances b
      where b.account = p_account and b.month < date_trunc('month', p_day)::date), 0)
    + coalesce((select sum(r.debit_ore - r.credit_ore) from ledger.voucher_rows r
      where r.account = p_account
        and r.verification_date between date_trunc('month', p_day)::date and p_day), 0))::bigint
$$;
