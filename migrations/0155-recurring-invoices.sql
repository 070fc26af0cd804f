-- Invoices that are made anew every so often, and those that were.
-- functions: audit.stamp_created
create table sales.recurring_invoices (
  id uuid primary key,
  customer_id uuid not null constraint recurring_invoices_customer_fkey references sales.customers (id),
  -- Counted from a day, whose day of the month later ones keep.
  anchor date not null,
  unit text not null constraint recurring_invoices_unit_known check (unit in ('week', 'month')),
  every integer not null constraint recurring_invoices_every_range check (every between 1 and 24),
  -- Made since the anchor.
  made integer not null default 0 constraint recurring_invoices_made_not_negative check (made >= 0),
  -- Null when there will be no more.
  next_date date,
  -- None is dated after it.
  last_date date,
  -- What becomes of each: a draft, a booked invoice, or one that is mailed too.
  becomes text not null constraint recurring_invoices_becomes_known check (becomes in ('draft', 'booked', 'mailed')),
  payment_terms_days integer not null
    constraint recurring_invoices_payment_terms_range check (payment_terms_days between 0 and 90),
  your_reference text constraint recurring_invoices_your_reference_length check (char_length(your_reference) <= 200),
  notes text constraint recurring_invoices_notes_length check (char_length(notes) <= 5000),
  -- As typed: what is null the registers know on the day.
  rows jsonb not null constraint recurring_invoices_rows_shape
    check (jsonb_typeof(rows) = 'array' and octet_length(rows::text) <= 1000000),
  vat_confirmed_by text,
  -- What came in the way of the latest; null when nothing did.
  problems jsonb constraint recurring_invoices_problems_shape
    check (jsonb_typeof(problems) = 'array' and octet_length(problems::text) <= 100000),
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint recurring_invoices_days check (next_date >= anchor and next_date <= coalesce(last_date, 'infinity')
    and isfinite(anchor) and isfinite(next_date))
);
create index recurring_invoices_due on sales.recurring_invoices (next_date) where next_date is not null;
create index recurring_invoices_by_customer on sales.recurring_invoices (customer_id);
create trigger people_are_named before insert or update of created_by, created_at on sales.recurring_invoices
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_confirm before insert or update of vat_confirmed_by on sales.recurring_invoices
  for each row when (session_user in ('hb_app', 'hb_worker') and new.vat_confirmed_by is not null)
  execute function sales.stamp_confirmation();

-- Which invoice was made for which day: once.
create table sales.recurred_invoices (
  recurring_id uuid not null
    constraint recurred_invoices_recurring_fkey references sales.recurring_invoices (id),
  due_on date not null,
  -- Null when the draft was removed.
  invoice_id uuid constraint recurred_invoices_invoice_key unique
    constraint recurred_invoices_invoice_fkey references sales.invoices (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint recurred_invoices_pkey primary key (recurring_id, due_on)
);

alter table sales.recurring_invoices enable row level security;
create policy people_read on sales.recurring_invoices for select to hb_app using ((select app.may('read')));
create policy people_write on sales.recurring_invoices to hb_app using ((select app.may('keep_books')));
alter table sales.recurred_invoices enable row level security;
create policy people_read on sales.recurred_invoices for select to hb_app using ((select app.may('read')));
