-- Customers, articles and customer invoices. A draft may change; a booked invoice is frozen.

create schema sales;

create table sales.customers (
  id uuid not null,
  name text not null,
  email text,
  organization_number text,
  vat_number text,
  country_code text not null default 'SE',
  payment_terms_days integer,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint customers_pkey primary key (id),
  constraint customers_name_length check (char_length(name) between 1 and 200),
  constraint customers_country_code_form check (country_code ~ '^[A-Z]{2}$'),
  constraint customers_payment_terms_range check (payment_terms_days between 0 and 90)
);
create index customers_by_name on sales.customers (lower(name));
create index customers_by_email on sales.customers (lower(email)) where email is not null;
create index customers_by_organization_number
  on sales.customers (organization_number) where organization_number is not null;
create index customers_by_vat_number on sales.customers (vat_number) where vat_number is not null;

alter table restricted.company add constraint company_collective_customer_fkey
  foreign key (collective_customer_id) references sales.customers;

create table sales.articles (
  number text not null,
  description text not null,
  supply text not null,
  account integer,
  is_active boolean not null default true,
  constraint articles_pkey primary key (number),
  constraint articles_number_length check (char_length(number) between 1 and 100),
  constraint articles_description_length check (char_length(description) between 1 and 500),
  constraint articles_supply_known check (supply in ('goods', 'services')),
  constraint articles_account_fkey foreign key (account) references ledger.accounts
);

-- The one running number of customer invoices (ML 17:24). Locked by whoever books, so no gap.
create table sales.invoice_numbers (
  singleton boolean not null default true,
  last_number integer not null default 1000,
  constraint invoice_numbers_pkey primary key (singleton),
  constraint invoice_numbers_is_single check (singleton)
);
insert into sales.invoice_numbers default values;

-- Quantities and unit prices are ten-thousandths (_e4), amounts öre.
create table sales.invoices (
  id uuid not null,
  status text not null default 'draft',
  source text not null,
  customer_id uuid not null,
  invoice_date date not null,
  due_date date not null,
  payment_terms_days integer not null,
  prices_include_vat boolean not null default false,
  your_reference text,
  notes text,
  debtor jsonb not null,
  net_ore bigint not null,
  vat_ore bigint not null,
  rounding_ore bigint not null default 0,
  total_ore bigint not null,
  number integer,
  ocr text,
  voucher_id uuid,
  booked_at timestamptz,
  -- Why the latest booking was refused, in the shape the API answers; null when none was.
  booking_refusal jsonb,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint invoices_pkey primary key (id),
  constraint invoices_number_key unique (number),
  constraint invoices_voucher_key unique (voucher_id),
  constraint invoices_customer_fkey foreign key (customer_id) references sales.customers,
  constraint invoices_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint invoices_status_known check (status in ('draft', 'booked', 'paid', 'credited')),
  constraint invoices_source_known check (source in ('order', 'api', 'app')),
  constraint invoices_payment_terms_range check (payment_terms_days between 0 and 90),
  constraint invoices_totals_add_up check (total_ore = net_ore + vat_ore + rounding_ore),
  constraint invoices_total_not_negative check (total_ore between 0 and 999999999999),
  constraint invoices_booked_is_complete check (
    (status = 'draft' and number is null and ocr is null and voucher_id is null)
    or (status <> 'draft' and number is not null and ocr is not null and booked_at is not null))
);
create index invoices_by_status on sales.invoices (status, invoice_date);
create index invoices_by_customer on sales.invoices (customer_id, invoice_date);

create table sales.invoice_rows (
  invoice_id uuid not null,
  row_no integer not null,
  article_number text,
  description text not null,
  quantity_e4 bigint not null,
  unit_price_e4 bigint not null,
  vat_rate integer not null,
  account integer not null,
  net_ore bigint not null,
  vat_ore bigint not null,
  constraint invoice_rows_pkey primary key (invoice_id, row_no),
  constraint invoice_rows_invoice_fkey foreign key (invoice_id) references sales.invoices
    on delete cascade,
  constraint invoice_rows_account_fkey foreign key (account) references ledger.accounts,
  constraint invoice_rows_vat_rate_known check (vat_rate in (0, 6, 12, 25)),
  constraint invoice_rows_description_length check (char_length(description) between 1 and 500)
);

-- Frozen is everything but the status, which payments and credits move: a column that is added later
-- is frozen until somebody decides otherwise.
create function sales.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' or (old.status <> 'draft' and (tg_op = 'DELETE' or new.status = 'draft'
      or to_jsonb(new) - 'status' is distinct from to_jsonb(old) - 'status')) then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
create trigger invoices_are_frozen before update or delete on sales.invoices
  for each row execute function sales.freeze_booked_invoice();
create trigger invoices_are_never_emptied before truncate on sales.invoices
  for each statement execute function sales.freeze_booked_invoice();

create function sales.freeze_booked_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' or exists (select from sales.invoices i
      where i.id in (old.invoice_id, new.invoice_id) and i.status <> 'draft') then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
create trigger invoice_rows_are_frozen before update or delete on sales.invoice_rows
  for each row execute function sales.freeze_booked_rows();
create trigger invoice_rows_are_never_emptied before truncate on sales.invoice_rows
  for each statement execute function sales.freeze_booked_rows();
-- New rows are many and come with their draft: one look at the invoices they belong to.
create function sales.check_new_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where i.status <> 'draft') then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return null;
end $$;
create trigger invoice_rows_join_drafts after insert on sales.invoice_rows
  referencing new table as added for each statement execute function sales.check_new_rows();
