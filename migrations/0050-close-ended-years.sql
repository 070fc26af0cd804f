-- A fiscal year is closed when it has ended, whoever closes it: the day it was closed, where the company
-- is, is kept and lies after the year. A year that was closed ahead of time stays closed, as if on the
-- day after it ended. A column on a table of a few rows.

alter table ledger.fiscal_years add column closed_on date;
update ledger.fiscal_years set closed_on = greatest(coalesce(closed_at::date, end_date), end_date + 1)
where status = 'closed';
alter table ledger.fiscal_years
  add constraint fiscal_years_closed_when_ended check (
    (status = 'closed') = (closed_on is not null) and (closed_on is null or closed_on > end_date));
