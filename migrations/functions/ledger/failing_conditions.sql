-- The conditions of a month end that fail, by name. What is not used never fails: a company without bank
-- accounts, invoices or VAT is not asked about them. VAT is what the period brought, and filed is what any
-- filed period covers; of what was filed it is also asked that it was settled.
create or replace function ledger.failing_conditions(p_month date, p_time_zone text) returns text[]
language sql stable set search_path = pg_catalog, pg_temp as $$
  with span as (
    select p_month as first, (p_month + interval '1 month')::date - 1 as last
  ), fails as (
    select 1 as place, 'bank' as name where exists (
        select from bank.transactions t
        join bank.accounts a on a.id = t.account_id and a.kind = 'bank' cross join span
        where t.voucher_id is null and t.booked_on <= span.last)
      -- The latest statement is of this month, and the ledger agrees with it on its day.
      or exists (
        select from bank.accounts a cross join span
        cross join lateral (
          select s.closing_date, s.balance_ore from bank.statements s
          where s.account_id = a.id and s.closing_date <= span.last
          order by s.closing_date desc limit 1) as s
        where a.kind = 'bank' and a.is_active and (s.closing_date < span.first
          or s.balance_ore <> ledger.balance_at(a.ledger_account, s.closing_date)))
    union all
    select 2, 'underlag' from span
    where (select count(*) from ledger.vouchers v
        where v.verification_date between span.first and span.last)
      > (select coalesce(sum(d.own + d.attached), 0) from ledger.documented_vouchers d
        where d.month = span.first)
    union all
    select 3, 'leverantorsinkorg' from span where exists (
      select from purchases.invoices p
      where p.status in ('new', 'review') and p.issue_date <= span.last)
    union all
    select 4, 'orderinkorg' from span
    where intake.count_stopped_orders((span.last + 1)::timestamp at time zone p_time_zone) > 0
    union all
    select 5, 'kundfakturor' from span where exists (
      select from sales.invoices i where i.status = 'draft' and i.invoice_date <= span.last)
    union all
    -- As the month ended, whatever has happened since.
    select 6, 'kundreskontra' from span
    where exists (select from sales.invoices i where i.status <> 'draft')
      and sales.open_on(span.last) <> ledger.balance_at(1510, span.last)
    union all
    select 7, 'leverantorsreskontra' from span
    where exists (select from purchases.invoices p where p.status = 'booked' and p.debt_account = 2440)
      and purchases.open_on(span.last) <> -ledger.balance_at(2440, span.last)
    union all
    -- A VAT period ends with the month, brought VAT, and is not filed; or it is, and its VAT does not stand on 2650 or
    -- something mends it that no return tells of.
    select 8, 'moms' from span
    cross join lateral (select ledger.vat_period_start(span.last) as first) as period
    where exists (select from ledger.vat_changes(period.first, span.last))
      and not exists (select from ledger.vat_filings f
        where span.last between f.period_start and f.period_end)
      or exists (select from ledger.vat_filings f
        cross join lateral ledger.vat_of_period(f.period_start, f.period_end) as of_period
        where f.period_end = span.last and of_period.account <> 2650
          and of_period.brought_ore + of_period.settled_ore <> 0)
      or exists (select from ledger.vat_assignments a where a.period_end = span.last and a.return_number is null)
    union all
    select 9, 'obs_konto' from span where exists (
      select from ledger.month_balances b
      where b.account in (1999, 2999) and b.month <= span.first
      group by b.account having sum(b.debit_ore - b.credit_ore) <> 0)
    union all
    select 10, 'verifikationsnummer' where exists (
        select from ledger.series s
        where s.last_number <> coalesce((select v.number from ledger.vouchers v
          where v.series_id = s.id order by v.number desc limit 1), 0))
      or (select v.problems <> '[]' from audit.verifications v order by v.finished_at desc limit 1)
    union all
    select 11, 'kassa' from span where exists (select from ledger.cash_shortfalls(span.first, span.last))
      -- A report without a readable day is of the day it came.
      or exists (select from intake.till_reports t where t.status in ('received', 'stopped') and t.status = 'stopped'
        and coalesce(t.day, (t.received_at at time zone p_time_zone)::date) <= span.last)
    union all
    select 12, 'periodisering' from span where exists (
      select from ledger.accrual_postings p where p.voucher_id is null and p.posting_date <= span.last)
  )
  select coalesce(array_agg(name order by place), '{}') from fails
$$;
