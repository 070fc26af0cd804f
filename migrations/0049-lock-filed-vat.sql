-- A filed VAT period is shut: filing sets the VAT lock and never moves it back, takes only a period of the
-- company's own that has ended, and knows what of its VAT no settlement has moved to 2650. A column, a
-- small table and an index on the few vouchers that settle VAT (built while nobody posts).

lock table ledger.series in exclusive mode;

-- The day it was filed where the company is. What was filed ahead of time before this counts as filed the
-- day after.
alter table ledger.vat_filings add column filed_on date;
update ledger.vat_filings set filed_on = greatest(filed_at::date, period_end + 1);
alter table ledger.vat_filings
  alter column filed_on set not null,
  add constraint vat_filings_has_ended check (period_end < filed_on);

-- Which vouchers settle which period; one that comes after filing is dated later than the period.
create table ledger.vat_settlements (
  voucher_id uuid not null,
  period_end date not null,
  constraint vat_settlements_pkey primary key (voucher_id),
  constraint vat_settlements_voucher_fkey foreign key (voucher_id) references ledger.vouchers
);
create index vat_settlements_by_period on ledger.vat_settlements (period_end);
alter table ledger.vat_settlements enable row level security;
create policy people_read on ledger.vat_settlements for select to hb_app
  using ((select app.may('read')));
create policy people_write on ledger.vat_settlements to hb_app
  using ((select app.may('keep_books')));
create trigger vat_settlements_are_immutable before update or delete or truncate
  on ledger.vat_settlements for each statement execute function ledger.refuse_change();

create index vouchers_beside_vat on ledger.vouchers (verification_date)
  where source in ('vat', 'opening');

-- The first day of the company's VAT period (SFL 26 kap.) whose last day this is; null when none ends
-- then, or the day lies in no fiscal year.
create function ledger.vat_period_start(p_end date) returns date
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case c.vat_period
    when 'month' then date_trunc('month', p_end)::date
    when 'quarter' then case when extract(month from p_end)::integer % 3 = 0
      then date_trunc('quarter', p_end)::date end
    else case when y.end_date = p_end then y.start_date end end
  from restricted.company c, ledger.fiscal_years y
  where p_end between y.start_date and y.end_date and extract(day from p_end + 1) = 1
$$;

-- The VAT that whole months brought, by account: everything posted on output and input VAT but what
-- settles it or carries it over from before the books, and what takes such vouchers back; those count in no
-- box, on whatever day they stand. VAT that waits for payment (26x8, bokslutsmetoden) is not due.
create function ledger.vat_changes(p_from date, p_to date)
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
  where p.account not in (2618, 2628, 2638, 2648)
  group by p.account, a.vat_box
  having sum(p.debit_ore) <> 0 or sum(p.credit_ore) <> 0
$$;

-- What of a period's VAT no settlement of it has moved to 2650, by account: debit less credit, öre.
create function ledger.unsettled_vat(p_start date, p_end date)
returns table (account integer, vat_box text, ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive settling as (
    select s.voucher_id as id from ledger.vat_settlements s where s.period_end = p_end
    union
    select part.id from settling
    join ledger.corrections c on c.corrected_id = settling.id
    cross join lateral (values (c.reversal_id), (c.replacement_id)) as part (id)
    where part.id is not null
  ), moved as (
    select c.account, c.vat_box, c.debit_ore - c.credit_ore as ore
    from ledger.vat_changes(p_start, p_end) c
    union all
    select r.account, a.vat_box, r.debit_ore - r.credit_ore
    from settling join ledger.voucher_rows r on r.voucher_id = settling.id
    join ledger.accounts a on a.number = r.account
    where r.account between 2610 and 2649
  )
  select m.account, m.vat_box, sum(m.ore)::bigint from moved m
  group by m.account, m.vat_box having sum(m.ore) <> 0
$$;

-- Whoever files, the period is one of the company's and is filed once, and from then on its VAT is locked.
-- Postings in flight come before it, and later ones see the lock.
create function ledger.lock_filed_vat() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table ledger.series in exclusive mode;
  if new.period_start is distinct from ledger.vat_period_start(new.period_end) then
    raise exception 'no VAT period of the company is % to %', new.period_start, new.period_end
      using errcode = 'HB002', constraint = 'vat_filings_are_the_companys';
  end if;
  if exists (select from ledger.vat_filings f where f.period_end <> new.period_end
      and f.period_start <= new.period_end and new.period_start <= f.period_end) then
    raise exception 'a part of % to % is filed already', new.period_start, new.period_end
      using errcode = 'HB002', constraint = 'vat_filings_do_not_overlap';
  end if;
  update ledger.locks set vat_locked_to = greatest(vat_locked_to, new.period_end);
  return null;
end $$;
create trigger vat_filings_lock after insert on ledger.vat_filings
  for each row execute function ledger.lock_filed_vat();

-- As before (0015), but VAT is what the period brought, and filed is what any filed period covers.
create or replace function ledger.failing_conditions(p_month date, p_time_zone text) returns text[]
language sql stable set search_path = pg_catalog, pg_temp as $$
  with span as (
    select p_month as first, (p_month + interval '1 month')::date - 1 as last
  ), fails as (
    select 1 as place, 'bank' as name where exists (
        select from bank.transactions t, span
        where t.voucher_id is null and t.booked_on <= span.last)
      -- The latest statement is of this month, and the ledger agrees with it on its day.
      or exists (
        select from bank.accounts a cross join span
        cross join lateral (
          select s.closing_date, s.balance_ore from bank.statements s
          where s.account_id = a.id and s.closing_date <= span.last
          order by s.closing_date desc limit 1) as s
        where a.is_active and (s.closing_date < span.first
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
    select 6, 'kundreskontra'
    where exists (select from sales.invoices i where i.status <> 'draft')
      and (select coalesce(sum(i.open_ore), 0) from sales.invoices i where i.open_ore <> 0)
        <> (select coalesce(sum(b.debit_ore - b.credit_ore), 0) from ledger.month_balances b
          where b.account = 1510)
    union all
    select 7, 'leverantorsreskontra'
    where exists (select from purchases.invoices p where p.status = 'booked')
      and (select coalesce(sum(p.open_ore), 0) from purchases.invoices p where p.open_ore <> 0)
        <> (select coalesce(sum(b.credit_ore - b.debit_ore), 0) from ledger.month_balances b
          where b.account = 2440)
    union all
    -- A VAT period ends with the month, brought VAT, and is not filed.
    select 8, 'moms' from span
    cross join lateral (select ledger.vat_period_start(span.last) as first) as period
    where exists (select from ledger.vat_changes(period.first, span.last))
      and not exists (select from ledger.vat_filings f
        where span.last between f.period_start and f.period_end)
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
  )
  select coalesce(array_agg(name order by place), '{}') from fails
$$;
