-- Rows of the bank tell what has changed as other lists do (0283): when they come, get their voucher, lose it, or are detailed by
-- an announcement, and when their account gets another IBAN.
-- functions: audit.stamp_change, bank.touch_rows
alter table bank.transactions add column updated_at timestamptz not null default now();
alter table bank.transactions alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
drop index bank.transactions_by_change;
create index transactions_by_change on bank.transactions (updated_at);
create trigger changes_are_stamped before insert or update on bank.transactions
  for each row execute function audit.stamp_change();
create trigger rows_are_touched after update of iban on bank.accounts
  for each row when (old.iban is distinct from new.iban) execute function bank.touch_rows();
drop function if exists api.list_bank_rows(integer, text, date, date, boolean, date, uuid, integer, integer, timestamptz);
