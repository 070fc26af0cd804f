-- When a row was changed is a moment after its transaction got its number, also when it is inserted: by that a reader is told
-- which changes may come to be seen yet, however long their transactions are open (api.changes_complete_until).
-- functions: audit.stamp_change
alter table ledger.accounts alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
alter table ledger.dimensions alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
alter table sales.articles alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
alter table sales.customers alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
alter table purchases.suppliers alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
alter table sales.invoices alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
alter table purchases.invoices alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
alter table intake.till_reports alter column updated_at set default (case when pg_current_xact_id() is not null then clock_timestamp() end);
