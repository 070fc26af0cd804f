-- Sums that each batch of vouchers adds to are kept a row for each 2 048 vouchers of a series, and folded when those are past.
-- While a transaction is open (a backup, an export, an analysis), none of a row's versions since it began can go, and whoever
-- looks the row up goes past all of them: after three minutes of posting a tenth of the vouchers a second were posted.
-- Takes a short lock on the three tables.
-- functions: ledger.sum_part, ledger.fold_sums, ledger.post_vouchers
alter table ledger.month_balances add column part integer not null default 0;
alter table ledger.month_balances drop constraint month_balances_pkey;
alter table ledger.month_balances add constraint month_balances_pkey
  primary key (series_id, part, account, month, vat_code, is_beside_vat);
alter table ledger.month_totals add column part integer not null default 0;
alter table ledger.month_totals drop constraint month_totals_pkey;
alter table ledger.month_totals add constraint month_totals_pkey primary key (series_id, part, month);
alter table ledger.day_revenues add column part integer not null default 0;
alter table ledger.day_revenues drop constraint day_revenues_pkey;
alter table ledger.day_revenues add constraint day_revenues_pkey primary key (series_id, part, day);
create index day_revenues_by_day on ledger.day_revenues (day);
comment on column ledger.month_balances.part is 'Which vouchers of the series it sums up (ledger.sum_part); 0 of all that are folded.';
comment on column ledger.month_totals.part is 'Which vouchers of the series it sums up (ledger.sum_part); 0 of all that are folded.';
comment on column ledger.day_revenues.part is 'Which vouchers of the series it sums up (ledger.sum_part); 0 of all that are folded.';
