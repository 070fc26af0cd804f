-- Programs that keep a copy of the registers ask for what has changed since.
-- functions: audit.stamp_change
alter table ledger.accounts add column updated_at timestamptz not null default now();
alter table ledger.dimensions add column updated_at timestamptz not null default now();
alter table sales.articles add column updated_at timestamptz not null default now();
alter table sales.customers add column updated_at timestamptz not null default now();
alter table purchases.suppliers add column updated_at timestamptz not null default now();
create trigger changes_are_stamped before insert or update on ledger.accounts
  for each row execute function audit.stamp_change();
create trigger changes_are_stamped before insert or update on ledger.dimensions
  for each row execute function audit.stamp_change();
create trigger changes_are_stamped before insert or update on sales.articles
  for each row execute function audit.stamp_change();
create trigger changes_are_stamped before insert or update on sales.customers
  for each row execute function audit.stamp_change();
create trigger changes_are_stamped before insert or update on purchases.suppliers
  for each row execute function audit.stamp_change();
