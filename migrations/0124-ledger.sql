-- The books. Vouchers and their rows are written once, by ledger.post_vouchers, and never changed: BFL 5:5
-- wants a correction to be a voucher of its own. What their hashes seal is docs/sealed-vouchers.md.

create table ledger.fiscal_years (
  id uuid not null,
  year integer not null,
  start_date date not null,
  end_date date not null,
  status text not null default 'open',
  closed_at timestamptz,
  closed_on date,
  constraint fiscal_years_pkey primary key (id),
  constraint fiscal_years_year_key unique (year),
  constraint fiscal_years_do_not_overlap
    exclude using gist (daterange(start_date, end_date, '[]') with &&),
  constraint fiscal_years_status_known check (status in ('open', 'closed')),
  -- BFL 3 kap.: whole months, at most 18 of them; never two years on one day.
  constraint fiscal_years_whole_months check (
    extract(day from start_date) = 1 and extract(day from end_date + 1) = 1
    and end_date > start_date and end_date < start_date + interval '18 months'),
  constraint fiscal_years_closed_when_ended check (
    (status = 'closed') = (closed_on is not null) and (closed_on is null or closed_on > end_date))
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
  format integer not null,
  content_hash bytea not null,
  constraint vouchers_pkey primary key (id),
  constraint vouchers_number_key unique (series_id, number),
  constraint vouchers_number_positive check (number > 0),
  constraint vouchers_description_length check (char_length(description) <= 500),
  constraint vouchers_counterparty_length check (char_length(counterparty) <= 200),
  constraint vouchers_source_form check (source ~ '^[a-z][a-z0-9_]{0,39}$'),
  constraint vouchers_row_count_minimum check (row_count >= 2),
  constraint vouchers_total_range check (total_ore between 1 and 999999999999),
  constraint vouchers_format_known check (format = 1)
);
create index vouchers_beside_vat on ledger.vouchers (verification_date)
  where source in ('vat', 'opening');
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
  -- As posted: what the row said, or else its account's code of that moment; null where that had none.
  vat_code text,
  constraint voucher_rows_pkey primary key (voucher_id, row_no),
  constraint voucher_rows_one_side check (
    (debit_ore = 0) <> (credit_ore = 0)
    and debit_ore between 0 and 999999999999 and credit_ore between 0 and 999999999999),
  constraint voucher_rows_note_length check (char_length(note) <= 500),
  constraint voucher_rows_vat_code_length check (char_length(vat_code) between 1 and 20)
);
create index voucher_rows_by_account
  on ledger.voucher_rows (account, verification_date, series, number);
create index voucher_rows_by_account_and_series
  on ledger.voucher_rows (account, series, verification_date, number);
-- Where a dimension is used; most rows have none.
create index voucher_rows_by_cost_center on ledger.voucher_rows (cost_center_id, verification_date)
  where cost_center_id is not null;
create index voucher_rows_by_project on ledger.voucher_rows (project_id, verification_date)
  where project_id is not null;

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
-- The balances of a few accounts.
create index month_balances_by_account on ledger.month_balances (account);

create table ledger.attachments (
  id uuid not null,
  voucher_id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  media_type text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint attachments_pkey primary key (id),
  constraint attachments_content_key unique (voucher_id, sha256),
  constraint attachments_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint attachments_content_fkey foreign key (sha256) references archive.contents,
  constraint attachments_file_name_length check (char_length(file_name) between 1 and 200),
  constraint attachments_file_name_is_plain check (file_name !~ '[/\\[:cntrl:]]'),
  constraint attachments_media_type_known check (media_type in ('application/pdf', 'image/png',
    'image/jpeg', 'text/csv', 'text/plain', 'application/xml'))
);

-- How many vouchers of a series and month are documented, so that nobody has to walk them: all vouchers
-- there are, less these, lack theirs. By series, as month balances are, so that two series never wait
-- for each other.
create table ledger.documented_vouchers (
  series_id uuid not null,
  month date not null,
  own bigint not null default 0,
  attached bigint not null default 0,
  constraint documented_vouchers_pkey primary key (series_id, month),
  constraint documented_vouchers_series_fkey foreign key (series_id) references ledger.series
);

-- Revenue (3000–3999) by day. By series, so that two series never wait for each other.
create table ledger.day_revenues (
  series_id uuid not null,
  day date not null,
  revenue_ore bigint not null,
  constraint day_revenues_pkey primary key (day, series_id),
  constraint day_revenues_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);

-- Revenue, costs (4000–7999) and of these goods (4000–4999) by month: what month balances would add up
-- to, in a row a series instead of one each of its accounts too.
create table ledger.month_totals (
  series_id uuid not null,
  month date not null,
  revenue_ore bigint not null,
  costs_ore bigint not null,
  goods_ore bigint not null,
  constraint month_totals_pkey primary key (series_id, month),
  constraint month_totals_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);

-- Costs by whom they were paid to: the voucher's counterparty. One row each, and another
-- whenever all there are of it are held by those who post at the same moment: nobody waits for anybody,
-- and there are no more rows than that to sum up (by series it was fourteen a counterparty).
create table ledger.supplier_costs (
  counterparty text not null,
  id uuid not null default gen_random_uuid(),
  cost_ore bigint not null,
  constraint supplier_costs_pkey primary key (counterparty, id)
) with (fillfactor = 50);

create table ledger.vat_filings (
  period_start date not null,
  period_end date not null,
  filed_at timestamptz not null default now(),
  filed_by text not null,
  -- The day it was filed where the company is. What was filed ahead of time before this counts as filed the
  -- day after.
  filed_on date not null,
  constraint vat_filings_pkey primary key (period_end),
  constraint vat_filings_period check (period_start < period_end),
  constraint vat_filings_has_ended check (period_end < filed_on)
);

-- Month ends that a person has acknowledged, one after the other; the row goes when one is reopened.
create table ledger.month_ends (
  month date not null,
  acknowledged_at timestamptz not null default now(),
  acknowledged_by text not null,
  constraint month_ends_pkey primary key (month),
  constraint month_ends_first_of_month check (extract(day from month) = 1)
);

-- A voucher that was wrong, the one that takes it back row by row, and the one that stands in its place
-- when there is such a one. A voucher is taken back once.
create table ledger.corrections (
  corrected_id uuid not null,
  reversal_id uuid not null,
  replacement_id uuid,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint corrections_pkey primary key (corrected_id),
  constraint corrections_reversal_key unique (reversal_id),
  constraint corrections_replacement_key unique (replacement_id),
  constraint corrections_corrected_fkey foreign key (corrected_id) references ledger.vouchers,
  constraint corrections_reversal_fkey foreign key (reversal_id) references ledger.vouchers,
  constraint corrections_replacement_fkey foreign key (replacement_id) references ledger.vouchers,
  constraint corrections_are_different_vouchers
    check (corrected_id <> reversal_id and replacement_id not in (corrected_id, reversal_id))
);

-- Rows to begin a voucher from: a list of {account, debit, credit, note, cost_center, project} with
-- amounts in öre as texts.
create table ledger.voucher_templates (
  id uuid not null,
  name text not null,
  series text not null,
  description text not null,
  counterparty text,
  rows jsonb not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint voucher_templates_pkey primary key (id),
  constraint voucher_templates_name_length check (char_length(name) between 1 and 100),
  constraint voucher_templates_series_length check (char_length(series) between 1 and 2),
  constraint voucher_templates_description_length check (char_length(description) <= 500),
  constraint voucher_templates_counterparty_length check (char_length(counterparty) <= 200),
  constraint voucher_templates_rows_are_a_list check (jsonb_typeof(rows) = 'array')
);
create unique index voucher_templates_name_key on ledger.voucher_templates (lower(name));

-- Which vouchers settle which period; one that comes after filing is dated later than the period.
create table ledger.vat_settlements (
  voucher_id uuid not null,
  period_end date not null,
  constraint vat_settlements_pkey primary key (voucher_id),
  constraint vat_settlements_voucher_fkey foreign key (voucher_id) references ledger.vouchers
);
create index vat_settlements_by_period on ledger.vat_settlements (period_end);

-- functions: api.require_key, app.require_right, audit.stamp_created, ledger.begin_series, ledger.check_new_rows
-- functions: ledger.check_new_vouchers, ledger.check_reversal, ledger.count_attached, ledger.guard_fiscal_year
-- functions: ledger.guard_month_end, ledger.judge_vat_settlement, ledger.lock_filed_vat, ledger.refuse_change
-- functions: ledger.refuse_if_in_use, ledger.refuse_if_named, ledger.refuse_reopening_under_closed
-- functions: ledger.stamp_acknowledgement, ledger.stamp_filing

create constraint trigger changes_are_written_down after insert or delete or update on ledger.fiscal_years
  deferrable initially deferred for each row execute function audit.require_event('^fiscal_year\.');
create trigger fiscal_years_are_guarded before update on ledger.fiscal_years
  for each row execute function ledger.guard_fiscal_year();
create trigger fiscal_years_reopen_backwards after update on ledger.fiscal_years
  referencing old table as before new table as after
  for each statement execute function ledger.refuse_reopening_under_closed();
create trigger series_begin before insert on ledger.series for each row
  when (new.last_hash is null) execute function ledger.begin_series();
create trigger series_in_use before delete or update of id, code, fiscal_year_id on ledger.series
  for each row execute function ledger.refuse_if_in_use();
create trigger series_stay before truncate on ledger.series
  for each statement execute function ledger.refuse_change();
create trigger accounts_are_named before delete on ledger.accounts
  for each row execute function ledger.refuse_if_named();
create trigger accounts_in_use before delete or update of number on ledger.accounts
  for each row execute function ledger.refuse_if_in_use();
-- An account that vouchers are posted on keeps its type: reports of closed years rest on it.
create trigger accounts_keep_type before update of type on ledger.accounts
  for each row when (old.type is distinct from new.type) execute function ledger.refuse_if_in_use();
create trigger accounts_stay before truncate on ledger.accounts
  for each statement execute function ledger.refuse_change();
create trigger dimensions_in_use before delete or update of id, kind on ledger.dimensions
  for each row execute function ledger.refuse_if_in_use();
create trigger dimensions_stay before truncate on ledger.dimensions
  for each statement execute function ledger.refuse_change();
create constraint trigger changes_are_written_down after update on ledger.locks
  deferrable initially deferred for each row execute function audit.require_event('^lock\.');
create trigger people_keep_books before insert on ledger.vouchers
  for each statement when (session_user = 'hb_app') execute function app.require_right('keep_books');
create trigger vouchers_are_immutable before update or delete or truncate on ledger.vouchers
  for each statement execute function ledger.refuse_change();
create trigger vouchers_are_whole after insert on ledger.vouchers
  referencing new table as added
  for each statement execute function ledger.check_new_vouchers();
create trigger voucher_rows_are_immutable before update or delete or truncate on ledger.voucher_rows
  for each statement execute function ledger.refuse_change();
create trigger voucher_rows_are_whole after insert on ledger.voucher_rows
  referencing new table as added
  for each statement execute function ledger.check_new_rows();
create trigger attachments_are_immutable before update or delete or truncate on ledger.attachments
  for each statement execute function archive.refuse_change();
create trigger attachments_count after insert on ledger.attachments
  for each row execute function ledger.count_attached();
create trigger people_are_named before insert or update on ledger.attachments
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create constraint trigger changes_are_written_down after insert or delete or update on ledger.vat_filings
  deferrable initially deferred for each row execute function audit.require_event('^vat\.');
create trigger people_are_named before insert on ledger.vat_filings for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function ledger.stamp_filing();
create trigger vat_filings_lock after insert on ledger.vat_filings
  for each row execute function ledger.lock_filed_vat();
create constraint trigger changes_are_written_down after insert or delete or update on ledger.month_ends
  deferrable initially deferred for each row execute function audit.require_event('^month\.');
create trigger month_ends_in_turn after insert or delete on ledger.month_ends
  for each row execute function ledger.guard_month_end();
create trigger people_are_named before insert on ledger.month_ends for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function ledger.stamp_acknowledgement();
create constraint trigger changes_are_written_down after insert on ledger.corrections
  deferrable initially deferred for each row execute function audit.require_event('^voucher\.');
create trigger corrections_are_immutable before update or delete or truncate on ledger.corrections
  for each statement execute function ledger.refuse_change();
create trigger corrections_take_back after insert on ledger.corrections
  for each row execute function ledger.check_reversal();
create trigger people_are_named before insert or update on ledger.corrections
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_are_named before insert or update on ledger.voucher_templates
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create constraint trigger changes_are_written_down after insert on ledger.vat_settlements
  deferrable initially deferred for each row execute function audit.require_event('^vat\.');
create trigger vat_settlements_are_immutable before update or delete or truncate
  on ledger.vat_settlements for each statement execute function ledger.refuse_change();
create trigger vat_settlements_settle after insert on ledger.vat_settlements
  for each row execute function ledger.judge_vat_settlement();

alter table ledger.fiscal_years enable row level security;
create policy key_reads on ledger.fiscal_years for select to hb_api using ((select api.require_key()));
create policy people_read on ledger.fiscal_years for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.fiscal_years to hb_app using ((select app.may('administer')));
create policy worker_reads on ledger.fiscal_years for select to hb_worker using (true);
alter table ledger.series enable row level security;
create policy key_reads on ledger.series for select to hb_api using ((select api.require_key('data:read')));
create policy people_read on ledger.series for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.series to hb_app using ((select app.may('keep_books')));
create policy worker_reads on ledger.series for select to hb_worker using (true);
alter table ledger.accounts enable row level security;
create policy people_read on ledger.accounts for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.accounts to hb_app using ((select app.may('keep_books')));
create policy workers_work on ledger.accounts to hb_worker using (true);
alter table ledger.dimensions enable row level security;
create policy people_read on ledger.dimensions for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.dimensions to hb_app using ((select app.may('keep_books')));
create policy workers_work on ledger.dimensions to hb_worker using (true);
alter table ledger.locks enable row level security;
create policy key_reads on ledger.locks for select to hb_api using ((select api.require_key()));
create policy people_read on ledger.locks for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.locks to hb_app using ((select app.may('administer')));
create policy worker_reads on ledger.locks for select to hb_worker using (true);
alter table ledger.vouchers enable row level security;
create policy key_reads on ledger.vouchers for select to hb_api using ((select api.require_key('data:read')));
create policy people_read on ledger.vouchers for select to hb_app using ((select app.may('read')));
create policy worker_reads on ledger.vouchers for select to hb_worker using (true);
alter table ledger.voucher_rows enable row level security;
create policy key_reads on ledger.voucher_rows for select to hb_api using ((select api.require_key('data:read')));
create policy people_read on ledger.voucher_rows for select to hb_app using ((select app.may('read')));
create policy worker_reads on ledger.voucher_rows for select to hb_worker using (true);
alter table ledger.month_balances enable row level security;
create policy people_read on ledger.month_balances for select to hb_app using ((select app.may('read')));
create policy workers_work on ledger.month_balances to hb_worker using (true);
alter table ledger.attachments enable row level security;
create policy people_read on ledger.attachments for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.attachments to hb_app using ((select app.may('keep_books')));
create policy workers_work on ledger.attachments to hb_worker using (true);
alter table ledger.documented_vouchers enable row level security;
create policy people_read on ledger.documented_vouchers for select to hb_app using ((select app.may('read')));
create policy workers_work on ledger.documented_vouchers to hb_worker using (true);
alter table ledger.day_revenues enable row level security;
create policy people_read on ledger.day_revenues for select to hb_app using ((select app.may('read')));
create policy workers_work on ledger.day_revenues to hb_worker using (true);
alter table ledger.month_totals enable row level security;
create policy people_read on ledger.month_totals for select to hb_app using ((select app.may('read')));
create policy workers_work on ledger.month_totals to hb_worker using (true);
alter table ledger.supplier_costs enable row level security;
create policy people_read on ledger.supplier_costs for select to hb_app using ((select app.may('read')));
create policy workers_work on ledger.supplier_costs to hb_worker using (true);
alter table ledger.vat_filings enable row level security;
create policy people_read on ledger.vat_filings for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.vat_filings to hb_app using ((select app.may('keep_books')));
create policy workers_work on ledger.vat_filings to hb_worker using (true);
alter table ledger.month_ends enable row level security;
create policy people_read on ledger.month_ends for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.month_ends to hb_app using ((select app.may('keep_books')));
create policy workers_work on ledger.month_ends to hb_worker using (true);
alter table ledger.corrections enable row level security;
create policy people_read on ledger.corrections for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.corrections to hb_app using ((select app.may('keep_books')));
create policy worker_reads on ledger.corrections for select to hb_worker using (true);
alter table ledger.voucher_templates enable row level security;
create policy people_read on ledger.voucher_templates for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.voucher_templates to hb_app using ((select app.may('keep_books')));
alter table ledger.vat_settlements enable row level security;
create policy people_read on ledger.vat_settlements for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.vat_settlements to hb_app using ((select app.may('keep_books')));
create policy worker_reads on ledger.vat_settlements for select to hb_worker using (true);
