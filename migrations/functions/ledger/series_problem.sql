-- Why a date and series lead nowhere: no fiscal year, or no such series in it.
create or replace function ledger.series_problem(p_series text, p_date date) returns jsonb
language sql stable as $$
  select jsonb_build_array(coalesce(
    (select jsonb_build_object('path', 'seriesCode', 'reason', 'unknown_series', 'series', p_series,
        'year', y.year)
      from ledger.fiscal_years y where p_date between y.start_date and y.end_date),
    jsonb_build_object('path', 'date', 'reason', 'date_outside_fiscal_years', 'date', p_date)))
$$;
