-- Month ends and what they rest on: bank transactions, filed VAT periods, what the checks of the books
-- found. New tables and functions; one small index on orders and one column on the company.

create schema bank;

create table bank.accounts (
  id uuid not null,
  name text not null,
  ledger_account integer not null,
  iban text,
  is_active boolean not null default true,
  constraint accounts_pkey primary key (id),
  constraint accounts_ledger_account_key unique (ledger_account),
  constraint accounts_ledger_account_fkey foreign key (ledger_account) references ledger.accounts,
  constraint accounts_ledger_account_is_money check (ledger_account between 1900 and 1999),
  constraint accounts_name_length check (char_length(name) between 1 and 100)
);

-- One line of a bank statement. `reference` is the bank's own, by which the same line is known when it
-- comes again. Matched when the voucher that books it is known.
create table bank.transactions (
  id uuid not null,
  account_id uuid not null,
  reference text not null,
  booked_on date not null,
  amount_ore bigint not null,
  description text not null,
  voucher_id uuid,
  matched_at timestamptz,
  matched_by text,
  created_at timestamptz not null default now(),
  constraint transactions_pkey primary key (id),
  constraint transactions_reference_key unique (account_id, reference),
  constraint transactions_account_fkey foreign key (account_id) references bank.accounts,
  constraint transactions_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint transactions_amount_not_zero check (amount_ore <> 0),
  constraint transactions_reference_length check (char_length(reference) between 1 and 200),
  constraint transactions_description_length check (char_length(description) <= 500),
  constraint transactions_match_is_whole check (
    (voucher_id is null) = (matched_at is null) and (voucher_id is null) = (matched_by is null))
);
create index transactions_unmatched on bank.transactions (booked_on) where voucher_id is null;

-- What an account held at the end of a day, by the bank.
create table bank.statements (
  account_id uuid not null,
  closing_date date not null,
  balance_ore bigint not null,
  constraint statements_pkey primary key (account_id, closing_date),
  constraint statements_account_fkey foreign key (account_id) references bank.accounts
);

create table ledger.vat_filings (
  period_start date not null,
  period_end date not null,
  filed_at timestamptz not null default now(),
  filed_by text not null,
  constraint vat_filings_pkey primary key (period_end),
  constraint vat_filings_period check (period_start < period_end)
);

-- Month ends that a person has acknowledged, one after the other; the row goes when one is reopened.
create table ledger.month_ends (
  month date not null,
  acknowledged_at timestamptz not null default now(),
  acknowledged_by text not null,
  constraint month_ends_pkey primary key (month),
  constraint month_ends_first_of_month check (extract(day from month) = 1)
);

alter table restricted.company
  add column months_from date,
  add constraint company_months_from_first_of_month check (extract(day from months_from) = 1);

create index orders_without_invoice on intake.orders (created_at) where invoice_id is null;

-- What the last check of all books found (huvudbok verify, or the nightly one).
create table audit.verifications (
  id uuid not null,
  finished_at timestamptz not null default now(),
  actor text not null,
  vouchers bigint not null,
  problems jsonb not null,
  constraint verifications_pkey primary key (id)
);
create index verifications_finished_at on audit.verifications (finished_at desc);

-- The balance of an account at the end of a day: whole months, then the days of the last one.
create function ledger.balance_at(p_account integer, p_day date) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select (coalesce((select sum(b.debit_ore - b.credit_ore) from ledger.month_balances b
      where b.account = p_account and b.month < date_trunc('month', p_day)::date), 0)
    + coalesce((select sum(r.debit_ore - r.credit_ore) from ledger.voucher_rows r
      where r.account = p_account
        and r.verification_date between date_trunc('month', p_day)::date and p_day), 0))::bigint
$$;

-- Orders that stopped and wait for a person.
create function intake.count_stopped_orders(p_before timestamptz) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select count(*) from intake.orders o
  where o.invoice_id is null and o.created_at < p_before and exists (
    select from intake.order_attempts a where a.order_id = o.id and a.status = 'rejected')
$$;

-- The conditions of a month end that fail, by name. What is not used never fails: a company without bank
-- accounts, invoices or VAT is not asked about them.
create function ledger.failing_conditions(p_month date, p_time_zone text) returns text[]
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
    -- A VAT period ends with the month, something was posted on VAT in it, and it is not filed.
    select 8, 'moms' from span
    cross join lateral (
      select case c.vat_period
        when 'month' then span.first
        when 'quarter' then case when extract(month from span.first)::integer % 3 = 0
          then (span.first - interval '2 months')::date end
        else (select y.start_date from ledger.fiscal_years y where y.end_date = span.last) end as first
      from restricted.company c) as period
    where period.first is not null
      and exists (select from ledger.month_balances b
        where b.account between 2610 and 2649 and b.month between period.first and span.first)
      and not exists (select from ledger.vat_filings f where f.period_end = span.last)
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

-- Where the month ends stand on a day. Months are told by their first day.
create function ledger.month_ends_on(p_today date, p_time_zone text)
returns table (last_closed_month date, open_month date, open_month_failing text[], months_behind integer)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_from date := coalesce((select c.months_from from restricted.company c),
    (select min(y.start_date) from ledger.fiscal_years y));
begin
  select max(e.month) into last_closed_month from ledger.month_ends e;
  select min(g.first)::date, count(*) into open_month, months_behind
  from generate_series(v_from, date_trunc('month', p_today)::date - 1, interval '1 month') as g (first)
  where not exists (select from ledger.month_ends e where e.month = g.first::date);
  open_month_failing := case when open_month is null then '{}'
    else ledger.failing_conditions(open_month, p_time_zone) end;
  return next;
end $$;
