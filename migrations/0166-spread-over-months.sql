-- What belongs to other months than it was booked in (periodiseringar), and what wears out (avskrivningar): plans, and
-- the dated postings of each, posted once. New tables, and a trigger on vouchers made anew: takes a short lock on those.
-- functions: audit.stamp_created, audit.require_event, ledger.require_origin, ledger.refuse_change
-- functions: ledger.guard_accrual, ledger.guard_accrual_posting
create table ledger.accruals (
  id uuid not null,
  kind text not null,
  description text not null,
  -- Code of the series that it is posted in, in each year.
  series text not null,
  result_account integer not null,
  balance_account integer not null,
  -- What the months share.
  amount_ore bigint not null,
  -- Its first day.
  first_month date not null,
  months integer not null,
  -- Of what is prepaid: the day it leaves the account it was booked on.
  moved_on date,
  -- Of what is prepaid: whether months take their share as they begin or as they end.
  shares_on text not null,
  -- Of the result's row.
  cost_center_id uuid,
  project_id uuid,
  -- What was booked first, such as the supplier's invoice.
  origin_voucher_id uuid,
  cancelled_at timestamptz,
  cancelled_by text,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint accruals_pkey primary key (id),
  constraint accruals_kind_known check (kind in ('prepaid_cost', 'prepaid_income', 'accrued_cost', 'accrued_income', 'depreciation')),
  constraint accruals_description_length check (char_length(description) between 1 and 200),
  constraint accruals_result_account_range check (result_account between 3000 and 8998),
  constraint accruals_balance_account_range check (balance_account between 1000 and 2999),
  constraint accruals_amount_range check (amount_ore between 1 and 999999999999),
  constraint accruals_months_range check (months between 1 and 600),
  constraint accruals_each_month_has_a_share check (amount_ore >= months),
  constraint accruals_first_month_begins check (date_trunc('month', first_month) = first_month),
  constraint accruals_prepaid_is_moved check ((moved_on is not null) = (kind in ('prepaid_cost', 'prepaid_income'))),
  constraint accruals_shares_on_known check (shares_on = 'last' or shares_on = 'first' and moved_on is not null),
  constraint accruals_cancelled check ((cancelled_at is null) = (cancelled_by is null)),
  constraint accruals_result_account_fkey foreign key (result_account) references ledger.accounts (number),
  constraint accruals_balance_account_fkey foreign key (balance_account) references ledger.accounts (number),
  constraint accruals_cost_center_fkey foreign key (cost_center_id) references ledger.dimensions,
  constraint accruals_project_fkey foreign key (project_id) references ledger.dimensions,
  constraint accruals_origin_voucher_fkey foreign key (origin_voucher_id) references ledger.vouchers on delete set null
);
create index accruals_by_origin on ledger.accruals (origin_voucher_id) where origin_voucher_id is not null;

create table ledger.accrual_postings (
  accrual_id uuid not null,
  -- In the order they are planned.
  place integer not null,
  -- What is prepaid leaves its account (move), months take their shares, what was accrued goes back, and what was left
  -- when it was cancelled (rest).
  part text not null,
  posting_date date not null,
  -- On the result's account, debit above zero; the other account has as much on the other side.
  result_ore bigint not null,
  voucher_id uuid,
  -- Why it could not be posted on its day: {reason, params}.
  problem jsonb,
  constraint accrual_postings_pkey primary key (accrual_id, place),
  constraint accrual_postings_voucher_key unique (voucher_id),
  constraint accrual_postings_accrual_fkey foreign key (accrual_id) references ledger.accruals,
  constraint accrual_postings_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint accrual_postings_part_known check (part in ('move', 'share', 'back', 'rest')),
  constraint accrual_postings_amount_not_zero check (result_ore <> 0),
  constraint accrual_postings_problem_shape check (jsonb_typeof(problem) = 'object' and octet_length(problem::text) <= 100000),
  constraint accrual_postings_posted_has_no_problem check (voucher_id is null or problem is null)
);
create index accrual_postings_due on ledger.accrual_postings (posting_date) where voucher_id is null;
create index accrual_postings_stopped on ledger.accrual_postings (accrual_id) where problem is not null;

create trigger people_are_named before insert on ledger.accruals for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger accruals_are_guarded before update or delete on ledger.accruals
  for each row execute function ledger.guard_accrual();
create constraint trigger changes_are_written_down after insert or update on ledger.accruals
  deferrable initially deferred for each row execute function audit.require_event('^accrual\.');
create trigger accrual_postings_are_guarded before update or delete on ledger.accrual_postings
  for each row execute function ledger.guard_accrual_posting();
create constraint trigger changes_are_written_down after update on ledger.accrual_postings
  deferrable initially deferred for each row execute function audit.require_event('^accrual\.');

drop trigger vouchers_are_what_they_say on ledger.vouchers;
create constraint trigger vouchers_are_what_they_say after insert on ledger.vouchers
  deferrable initially deferred for each row
  when (new.source in ('opening', 'closing', 'reversal', 'reminder', 'payment', 'bank', 'supplier_payment', 'accrual_posting'))
  execute function ledger.require_origin();

alter table ledger.accruals enable row level security;
create policy people_read on ledger.accruals for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.accruals to hb_app using ((select app.may('keep_books')));
alter table ledger.accrual_postings enable row level security;
create policy people_read on ledger.accrual_postings for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.accrual_postings to hb_app using ((select app.may('keep_books')));
