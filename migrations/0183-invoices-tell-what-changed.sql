-- Programs that keep a copy of customer and supplier invoices ask for what has changed since. The column has one
-- value for all rows there are, so nothing is rewritten; each index reads its table once.
-- functions: audit.stamp_change, sales.freeze_booked_invoice, purchases.freeze_booked_invoice
alter table sales.invoices add column updated_at timestamptz not null default now();
alter table purchases.invoices add column updated_at timestamptz not null default now();
create index invoices_by_change on sales.invoices (updated_at);
create index invoices_by_change on purchases.invoices (updated_at);
-- Named to come before the triggers that freeze: those let the time pass, and nothing else.
create trigger changes_are_stamped before insert or update on sales.invoices
  for each row execute function audit.stamp_change();
create trigger changes_are_stamped before insert or update on purchases.invoices
  for each row execute function audit.stamp_change();
