-- Programs that keep a copy of tills' reports ask for what has changed since. The column has one value for all rows there
-- are, so nothing is rewritten; the index reads the table once.
-- functions: audit.stamp_change
alter table intake.till_reports add column updated_at timestamptz not null default now();
create index till_reports_by_change on intake.till_reports (updated_at);
-- Named to come before the trigger that guards.
create trigger changes_are_stamped before insert or update on intake.till_reports
  for each row execute function audit.stamp_change();
