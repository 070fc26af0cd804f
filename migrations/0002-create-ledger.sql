-- The books. Vouchers and their rows are written once, by ledger.post_vouchers (0003), and never
-- changed: BFL 5:5 wants a correction to be a voucher of its own.

create schema ledger;

create table ledger.fiscal_years (
  id uuid not null,
  year integer not null,
  start_date date not null,
  end_date date not null,
  status text not null default 'open',
  closed_at timestamptz,
  constraint fiscal_years_pkey primary key (id),
  constraint fiscal_years_year_key unique (year),
  constraint fiscal_years_status_known check (status in ('open', 'closed')),
  -- BFL 3 kap.: whole months, at most 18 of them; never two years on one day.
  constraint fiscal_years_whole_months check (
    extract(day from start_date) = 1 and extract(day from end_date + 1) = 1
    and end_date > start_date and end_date < start_date + interval '18 months'),
  constraint fiscal_years_do_not_overlap
    exclude using gist (daterange(start_date, end_date, '[]') with &&)
);

create table ledger.series (
  id uuid not null,
  fiscal_year_id uuid not null,
  code text not null,
  name text not null,
  -- The head of the series: last number given and the hash that seals everything up to it.
  last_number integer not null default 0,
  last_hash bytea not null,
  constraint series_pkey primary key (id),
  constraint series_code_key unique (fiscal_year_id, code),
  constraint series_fiscal_year_fkey foreign key (fiscal_year_id) references ledger.fiscal_years,
  constraint series_code_length check (char_length(code) between 1 and 2)
) with (fillfactor = 50);

create table ledger.accounts (
  number integer not null,
  name text not null,
  type text not null,
  vat_code text,
  vat_rate integer,
  vat_box text,
  sru text,
  is_active boolean not null default true,
  constraint accounts_pkey primary key (number),
  constraint accounts_number_range check (number between 1000 and 9999),
  constraint accounts_name_length check (char_length(name) between 1 and 200),
  constraint accounts_type_known
    check (type in ('asset', 'equity', 'liability', 'revenue', 'cost')),
  constraint accounts_vat_rate_known check (vat_rate in (0, 6, 12, 25))
);

create table ledger.dimensions (
  id uuid not null,
  kind text not null,
  code text not null,
  name text not null,
  is_active boolean not null default true,
  constraint dimensions_pkey primary key (id),
  constraint dimensions_code_key unique (kind, code),
  constraint dimensions_kind_known check (kind in ('cost_center', 'project')),
  constraint dimensions_code_length check (char_length(code) between 1 and 20),
  constraint dimensions_name_length check (char_length(name) between 1 and 200)
);

create table ledger.locks (
  singleton boolean not null default true,
  period_locked_to date,
  vat_locked_to date,
  constraint locks_pkey primary key (singleton),
  constraint locks_is_single check (singleton)
);
insert into ledger.locks default values;

create table ledger.vouchers (
  id uuid not null,
  series_id uuid not null,
  series text not null,
  number integer not null,
  verification_date date not null,
  description text not null,
  counterparty text,
  source text not null,
  row_count integer not null,
  total_ore bigint not null,
  posted_at timestamptz not null,
  posted_by text not null,
  request_id uuid,
  hash bytea not null,
  constraint vouchers_pkey primary key (id),
  constraint vouchers_number_key unique (series_id, number),
  constraint vouchers_number_positive check (number > 0),
  constraint vouchers_description_length check (char_length(description) <= 500),
  constraint vouchers_counterparty_length check (char_length(counterparty) <= 200),
  constraint vouchers_source_form check (source ~ '^[a-z][a-z0-9_]{0,39}$'),
  constraint vouchers_row_count_minimum check (row_count >= 2),
  constraint vouchers_total_range check (total_ore between 1 and 999999999999)
);
-- Pages are read in (date, series, number) order; within a series a date range alone is enough.
create index vouchers_by_date on ledger.vouchers (verification_date, series, number);
create index vouchers_by_series on ledger.vouchers (series, verification_date, number);

-- A row repeats its voucher's place in the reading order, so that "vouchers on this account" is one
-- index walk; the trigger below proves the copy true.
create table ledger.voucher_rows (
  voucher_id uuid not null,
  row_no integer not null,
  account integer not null,
  debit_ore bigint not null,
  credit_ore bigint not null,
  note text,
  cost_center_id uuid,
  project_id uuid,
  verification_date date not null,
  series text not null,
  number integer not null,
  constraint voucher_rows_pkey primary key (voucher_id, row_no),
  constraint voucher_rows_one_side check (
    (debit_ore = 0) <> (credit_ore = 0)
    and debit_ore between 0 and 999999999999 and credit_ore between 0 and 999999999999),
  constraint voucher_rows_note_length check (char_length(note) <= 500)
);
create index voucher_rows_by_account
  on ledger.voucher_rows (account, verification_date, series, number);
create index voucher_rows_by_account_and_series
  on ledger.voucher_rows (account, series, verification_date, number);

-- What statistics read instead of the rows. Kept by series as well, so that only the holder of the
-- series' lock ever touches a row of it and two series never wait for each other.
create table ledger.month_balances (
  series_id uuid not null,
  account integer not null,
  month date not null,
  debit_ore bigint not null,
  credit_ore bigint not null,
  constraint month_balances_pkey primary key (series_id, account, month),
  constraint month_balances_series_fkey foreign key (series_id) references ledger.series,
  constraint month_balances_account_fkey foreign key (account) references ledger.accounts,
  constraint month_balances_first_of_month check (extract(day from month) = 1)
) with (fillfactor = 50);

-- Nobody updates or deletes, the owner of the tables included.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a posted voucher is never changed or removed; correct it with a new voucher'
    using errcode = 'HB001', constraint = 'vouchers_are_immutable';
end $$;
create trigger vouchers_are_immutable before update or delete or truncate on ledger.vouchers
  for each statement execute function ledger.refuse_change();
create trigger voucher_rows_are_immutable before update or delete or truncate on ledger.voucher_rows
  for each statement execute function ledger.refuse_change();

-- What a voucher refers to is checked by the two triggers below, for all new vouchers at once: foreign
-- keys check row by row, and cost a third of a whole posting (measured: 64 of 210 µs a voucher). The
-- other side, that nothing in use disappears, is held by in_use triggers further down.
-- `lateral … limit 1` keeps to one index look per row: the plan is made once a connection, perhaps while
-- the table is empty and reading all of it looks cheap.

-- Proves every voucher that rows were added to: all its rows are there, they balance, and they repeat
-- its place. Because row_count is part of the voucher, a row cannot join an old voucher either.
create function ledger.check_new_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_faulty uuid;
begin
  select touched.voucher_id into v_faulty
  from (select distinct voucher_id from added) as touched
  left join lateral (
    select * from ledger.vouchers where id = touched.voucher_id limit 1) as v on true
  cross join lateral (
    select count(*) as row_count, sum(r.debit_ore) as debit, sum(r.credit_ore) as credit,
      bool_and(r.verification_date = v.verification_date and r.series = v.series
        and r.number = v.number
        and exists (select from ledger.accounts where number = r.account)
        and (r.cost_center_id is null or exists (select from ledger.dimensions
          where id = r.cost_center_id and kind = 'cost_center'))
        and (r.project_id is null or exists (select from ledger.dimensions
          where id = r.project_id and kind = 'project'))) as is_sound
    from ledger.voucher_rows r where r.voucher_id = v.id) as whole
  where v.id is null or whole.row_count <> v.row_count or whole.debit is distinct from v.total_ore
    or whole.credit is distinct from v.total_ore or not whole.is_sound
  limit 1;
  if found then
    raise exception 'voucher % does not balance, lacks rows or refers to what does not exist', v_faulty
      using errcode = 'HB002', constraint = 'vouchers_balance';
  end if;
  return null;
end $$;
create trigger voucher_rows_are_whole after insert on ledger.voucher_rows
  referencing new table as added
  for each statement execute function ledger.check_new_rows();

-- A voucher comes with its rows in one statement (the trigger above has then proved them), and the
-- numbers of its series stay gapless: as many as they span, starting right after the last.
create function ledger.check_new_vouchers() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_faulty text;
begin
  select batch.series into v_faulty
  from (
    select a.series_id, min(a.series) as series, min(a.number) as first, max(a.number) as last,
      count(*) as amount, bool_and(first_row.is_there is true) as has_rows
    from added a
    left join lateral (select true as is_there from ledger.voucher_rows r
      where r.voucher_id = a.id limit 1) as first_row on true
    group by a.series_id) as batch
  left join ledger.series s on s.id = batch.series_id and s.code = batch.series
  where s.id is null or not batch.has_rows or batch.last - batch.first + 1 <> batch.amount
    or batch.first - 1 <> coalesce((select max(v.number) from ledger.vouchers v
        where v.series_id = batch.series_id and v.number < batch.first), 0)
  limit 1;
  if found then
    raise exception 'series % would get a gap, or a voucher without rows', v_faulty
      using errcode = 'HB003', constraint = 'vouchers_are_gapless';
  end if;
  return null;
end $$;
create trigger vouchers_are_whole after insert on ledger.vouchers
  referencing new table as added
  for each statement execute function ledger.check_new_vouchers();

-- Nothing that a voucher refers to disappears or changes identity. Taking every series' row first
-- keeps postings out between the look and the deed.
create function ledger.refuse_if_in_use() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_in_use boolean;
begin
  perform from ledger.series order by id for update;
  v_in_use := case tg_table_name
    when 'accounts' then exists (
      select from ledger.voucher_rows where account = (to_jsonb(old) ->> 'number')::integer)
    when 'series' then exists (
      select from ledger.vouchers where series_id = (to_jsonb(old) ->> 'id')::uuid)
    else exists (select from ledger.voucher_rows
      where (to_jsonb(old) ->> 'id')::uuid in (cost_center_id, project_id)) end;
  if v_in_use then
    raise exception '% is in use by vouchers; deactivate it instead', tg_table_name
      using errcode = 'HB004', constraint = tg_table_name || '_in_use';
  end if;
  return coalesce(new, old);
end $$;
create trigger accounts_in_use before delete or update of number on ledger.accounts
  for each row execute function ledger.refuse_if_in_use();
create trigger series_in_use before delete or update of id, code, fiscal_year_id on ledger.series
  for each row execute function ledger.refuse_if_in_use();
create trigger dimensions_in_use before delete or update of id, kind on ledger.dimensions
  for each row execute function ledger.refuse_if_in_use();
create trigger accounts_stay before truncate on ledger.accounts
  for each statement execute function ledger.refuse_change();
create trigger series_stay before truncate on ledger.series
  for each statement execute function ledger.refuse_change();
create trigger dimensions_stay before truncate on ledger.dimensions
  for each statement execute function ledger.refuse_change();
