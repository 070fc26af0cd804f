-- Suppliers and what they invoice: the supplier inbox, its bookings and the payables. New tables; three
-- columns on the company.

create schema purchases;

alter table restricted.company
  -- Other numbers that e-invoices may be addressed to: GLN and the like, as scheme:number.
  add column receiver_ids text[] not null default '{}',
  add column e_invoice_booking_is_automatic boolean not null default false,
  add column purchase_account integer not null default 4000;

create table purchases.suppliers (
  id uuid not null,
  name text not null,
  organization_number text,
  vat_number text,
  -- Electronic address, as scheme:number.
  endpoint text,
  country_code text not null default 'SE',
  -- What its invoices are usually booked on; null follows its history.
  account integer,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint suppliers_pkey primary key (id),
  constraint suppliers_organization_number_key unique (organization_number),
  constraint suppliers_vat_number_key unique (vat_number),
  constraint suppliers_endpoint_key unique (endpoint),
  constraint suppliers_account_fkey foreign key (account) references ledger.accounts,
  constraint suppliers_name_length check (char_length(name) between 1 and 200),
  constraint suppliers_country_form check (country_code ~ '^[A-Z]{2}$')
);

-- Accounts that a supplier has been paid on, or that a person has vouched for. A document that asks for
-- money elsewhere is looked at first: that is how frauds begin.
create table purchases.supplier_accounts (
  supplier_id uuid not null,
  kind text not null,
  number text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint supplier_accounts_pkey primary key (supplier_id, kind, number),
  constraint supplier_accounts_supplier_fkey foreign key (supplier_id) references purchases.suppliers,
  constraint supplier_accounts_kind_known check (kind in ('bankgiro', 'plusgiro', 'iban', 'other'))
);
create index supplier_accounts_by_number on purchases.supplier_accounts (kind, number);

-- Amounts are what we owe: a credit is below zero. They are the document's own, in its own currency.
create table purchases.invoices (
  id uuid not null,
  document_id uuid not null,
  status text not null,
  kind text not null,
  supplier_id uuid,
  -- Who the document says has sent it: name, organizationNumber, vatNumber, endpoint, countryCode.
  seller jsonb not null,
  invoice_number text not null,
  issue_date date not null,
  due_date date,
  currency text not null,
  net_ore bigint not null,
  vat_ore bigint not null,
  rounding_ore bigint not null,
  prepaid_ore bigint not null,
  payable_ore bigint not null,
  -- Where the money goes: accounts, reference, isOcr, payee, isPaidOtherwise.
  payment jsonb not null,
  warnings jsonb not null default '[]',
  booking_date date,
  booking_refusal jsonb,
  voucher_id uuid,
  -- What is left to pay, in kronor's öre; set when it is booked.
  open_ore bigint not null default 0,
  rejection text,
  decided_at timestamptz,
  decided_by text,
  created_at timestamptz not null default now(),
  constraint invoices_pkey primary key (id),
  constraint invoices_document_key unique (document_id),
  constraint invoices_voucher_key unique (voucher_id),
  constraint invoices_supplier_fkey foreign key (supplier_id) references purchases.suppliers,
  constraint invoices_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint invoices_status_known check (status in ('new', 'review', 'booked', 'rejected')),
  constraint invoices_kind_known check (kind in ('invoice', 'credit_note')),
  constraint invoices_currency_form check (currency ~ '^[A-Z]{3}$'),
  constraint invoices_rejected_has_reason check ((status = 'rejected') = (rejection is not null)),
  constraint invoices_booked_is_complete
    check (status <> 'booked' or (booking_date is not null and supplier_id is not null)),
  constraint invoices_decided check ((status in ('booked', 'rejected')) = (decided_at is not null))
);
create index invoices_waiting on purchases.invoices (created_at) where status in ('new', 'review');
create index invoices_by_supplier on purchases.invoices (supplier_id, invoice_number);
create index invoices_by_number on purchases.invoices (invoice_number);
create index invoices_open on purchases.invoices (due_date) where open_ore <> 0;

create table purchases.invoice_rows (
  invoice_id uuid not null,
  row_no integer not null,
  account integer not null,
  debit_ore bigint not null,
  credit_ore bigint not null,
  note text,
  constraint invoice_rows_pkey primary key (invoice_id, row_no),
  constraint invoice_rows_invoice_fkey foreign key (invoice_id) references purchases.invoices,
  constraint invoice_rows_one_side check (debit_ore >= 0 and credit_ore >= 0
    and (debit_ore = 0) <> (credit_ore = 0)),
  constraint invoice_rows_note_length check (char_length(note) <= 500)
);

-- Files that came inside a document.
create table purchases.attachments (
  invoice_id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  media_type text not null,
  constraint attachments_pkey primary key (invoice_id, sha256),
  constraint attachments_invoice_fkey foreign key (invoice_id) references purchases.invoices,
  constraint attachments_content_fkey foreign key (sha256) references archive.contents,
  constraint attachments_file_name_length check (char_length(file_name) between 1 and 200),
  constraint attachments_media_type_known check (media_type in ('application/pdf', 'image/png',
    'image/jpeg', 'text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.oasis.opendocument.spreadsheet'))
);

create table purchases.payments (
  id uuid not null,
  invoice_id uuid not null,
  paid_on date not null,
  amount_ore bigint not null,
  account integer not null,
  voucher_id uuid not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint payments_pkey primary key (id),
  constraint payments_voucher_key unique (voucher_id),
  constraint payments_invoice_fkey foreign key (invoice_id) references purchases.invoices,
  constraint payments_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint payments_amount_not_zero check (amount_ore <> 0)
);

-- What is booked stays as it was booked, but for what is left to pay; what is rejected stays rejected.
create function purchases.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' or (old.status in ('booked', 'rejected') and (tg_op = 'DELETE'
      or to_jsonb(new) - 'open_ore' is distinct from to_jsonb(old) - 'open_ore')) then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
create trigger invoices_are_frozen before update or delete on purchases.invoices
  for each row execute function purchases.freeze_booked_invoice();
create trigger invoices_are_never_emptied before truncate on purchases.invoices
  for each statement execute function purchases.freeze_booked_invoice();

create function purchases.freeze_booked_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' or exists (select from purchases.invoices i
      where i.id in (old.invoice_id, new.invoice_id) and i.status in ('booked', 'rejected')) then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
create trigger invoice_rows_are_frozen before insert or update or delete on purchases.invoice_rows
  for each row execute function purchases.freeze_booked_rows();
create trigger invoice_rows_are_never_emptied before truncate on purchases.invoice_rows
  for each statement execute function purchases.freeze_booked_rows();
create trigger payments_are_immutable before update or delete or truncate on purchases.payments
  for each statement execute function sales.refuse_change();

-- What a booked invoice was: as a supplier's history tells where its next one goes.
create function purchases.usual_accounts(p_suppliers uuid[])
returns table (supplier_id uuid, account integer)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select s.id, coalesce(s.account, latest.account)
  from purchases.suppliers s
  left join lateral (
    select r.account from purchases.invoices i
    join purchases.invoice_rows r on r.invoice_id = i.id
    where i.supplier_id = s.id and i.status = 'booked'
      and (r.account < 2000 or r.account >= 3000) and r.account not in (1480, 3740)
    order by i.decided_at desc, r.debit_ore + r.credit_ore desc limit 1) as latest on true
  where s.id = any (p_suppliers)
$$;
