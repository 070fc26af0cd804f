-- The lock that stops a voucher of this date, null when none does: a closed year, else the period
-- lock, else (for vouchers that touch VAT) the VAT lock.
create or replace function ledger.find_lock(p_date date, p_touches_vat boolean) returns jsonb
language sql stable as $$
  select jsonb_build_object('lock', found.lock, 'locked_to', found.locked_to,
    'earliest_allowed_date', ledger.earliest_open_date(p_date, p_touches_vat))
  from (
    select 1 as strength, 'fiscal_year' as lock, y.end_date as locked_to from ledger.fiscal_years y
    where y.status = 'closed' and p_date between y.start_date and y.end_date
    union all
    select 2, 'period', l.period_locked_to from ledger.locks l where p_date <= l.period_locked_to
    union all
    select 3, 'vat', l.vat_locked_to from ledger.locks l
    where p_date <= l.vat_locked_to and p_touches_vat
  ) as found order by found.strength limit 1
$$;
