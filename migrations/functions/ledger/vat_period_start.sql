-- The first day of the company's VAT period (SFL 26 kap.) whose last day this is; null when none ends
-- then, or the day lies in no fiscal year.
create or replace function ledger.vat_period_start(p_end date) returns date
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case c.vat_period
    when 'month' then date_trunc('month', p_end)::date
    when 'quarter' then case when extract(month from p_end)::integer % 3 = 0
      then date_trunc('quarter', p_end)::date end
    else case when y.end_date = p_end then y.start_date end end
  from restricted.company c, ledger.fiscal_years y
  where p_end between y.start_date and y.end_date and extract(day from p_end + 1) = 1
$$;
