-- Suppliers and what they invoice: the supplier inbox, its bookings and the payables.

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
  email text,
  phone text,
  address text,
  postal_code text,
  city text,
  sort_name text collate "C"
    generated always as (translate(lower(name), 'ÅåÄäÆæÖöØøÉéÈèÁáÜü', '{{||||}}}}eeeeaauu')) stored,
  -- Null until somebody has said: then such a purchase is looked at before it is booked.
  supply text,
  -- Per cent; 0 when what it sells is exempt in Sweden too.
  reverse_charge_rate integer not null default 25,
  constraint suppliers_pkey primary key (id),
  constraint suppliers_organization_number_key unique (organization_number),
  constraint suppliers_vat_number_key unique (vat_number),
  constraint suppliers_endpoint_key unique (endpoint),
  constraint suppliers_account_fkey foreign key (account) references ledger.accounts,
  constraint suppliers_name_length check (char_length(name) between 1 and 200),
  constraint suppliers_country_form check (country_code ~ '^[A-Z]{2}$'),
  constraint suppliers_email_length check (char_length(email) <= 320),
  constraint suppliers_phone_length check (char_length(phone) <= 50),
  constraint suppliers_address_length check (char_length(address) <= 200),
  constraint suppliers_postal_code_length check (char_length(postal_code) <= 20),
  constraint suppliers_city_length check (char_length(city) <= 100),
  constraint suppliers_supply_known check (supply in ('goods', 'services')),
  constraint suppliers_reverse_charge_rate_known check (reverse_charge_rate in (25, 12, 6, 0))
);
create index suppliers_in_order on purchases.suppliers (sort_name, id);

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
  document_id uuid,
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
  is_prepayment boolean not null default false,
  -- Of a final invoice: the prepayment invoices whose rows it takes back.
  prepayment_ids uuid[] not null default '{}'::uuid[],
  original_payable_ore bigint,
  constraint invoices_pkey primary key (id),
  constraint invoices_document_key unique (document_id),
  constraint invoices_voucher_key unique (voucher_id),
  constraint invoices_supplier_fkey foreign key (supplier_id) references purchases.suppliers,
  constraint invoices_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint invoices_document_fkey
    foreign key (document_id) references intake.e_invoices,
  constraint invoices_status_known check (status in ('new', 'review', 'booked', 'rejected')),
  constraint invoices_kind_known check (kind in ('invoice', 'credit_note')),
  constraint invoices_currency_form check (currency ~ '^[A-Z]{3}$'),
  constraint invoices_rejected_has_reason check ((status = 'rejected') = (rejection is not null)),
  constraint invoices_booked_is_complete
    check (status <> 'booked' or (booking_date is not null and supplier_id is not null)),
  constraint invoices_decided check ((status in ('booked', 'rejected')) = (decided_at is not null)),
  -- Without a document it was taken over with the opening balance.
  constraint invoices_opening_is_booked check (document_id is not null
    or (status = 'booked' and voucher_id is null and payable_ore <> 0)),
  constraint invoices_original_payable check (original_payable_ore is null or document_id is null)
);
create index invoices_by_number on purchases.invoices (invoice_number);
create index invoices_by_supplier on purchases.invoices (supplier_id, invoice_number);
create index invoices_by_supplier_and_date on purchases.invoices (supplier_id, issue_date desc, id desc);
create index invoices_open on purchases.invoices (due_date) where open_ore <> 0;
create index invoices_open_by_supplier on purchases.invoices (supplier_id) include (open_ore)
  where open_ore <> 0;
create index invoices_opening on purchases.invoices (supplier_id) where document_id is null;
-- The same invoice is not taken over twice.
create unique index invoices_opening_key on purchases.invoices (supplier_id, invoice_number)
  where document_id is null;
create index invoices_prepaid on purchases.invoices (supplier_id) where is_prepayment;
create index invoices_rejected on purchases.invoices (id) where status = 'rejected';
create index invoices_settling on purchases.invoices using gin (prepayment_ids)
  where prepayment_ids <> '{}';
create index invoices_waiting on purchases.invoices (created_at) where status in ('new', 'review');
alter table intake.e_invoices add constraint e_invoices_draft_fkey foreign key (draft_id) references purchases.invoices;

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
  kind text not null default 'money',
  constraint payments_pkey primary key (id),
  constraint payments_invoice_fkey foreign key (invoice_id) references purchases.invoices,
  constraint payments_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint payments_amount_not_zero check (amount_ore <> 0),
  constraint payments_kind_is_of_account check (kind = 'money' or kind <> 'loss' and kind = coalesce(
    case kind when 'set_off' then case account when 1510 then 'set_off' end
    else sales.settlement_kind(account) end, '')),
  constraint payments_rounding_is_small
    check (kind <> 'rounding' or amount_ore between -99 and 99)
);
create index payments_by_invoice on purchases.payments (invoice_id);
create index payments_by_voucher on purchases.payments (voucher_id);

-- functions: purchases.freeze_booked_invoice, purchases.freeze_booked_rows, purchases.judge_booked_payments
-- functions: purchases.settle_added, sales.judge_purchase_payments

create trigger people_are_named before insert or update on purchases.suppliers
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_are_named before insert or update on purchases.supplier_accounts
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger invoices_are_frozen before update or delete on purchases.invoices
  for each row execute function purchases.freeze_booked_invoice();
create trigger invoices_are_never_emptied before truncate on purchases.invoices
  for each statement execute function purchases.freeze_booked_invoice();
create trigger times_are_real before insert or update of created_at on purchases.invoices
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_time();
create trigger invoice_rows_are_frozen before insert or update or delete on purchases.invoice_rows
  for each row execute function purchases.freeze_booked_rows();
create trigger invoice_rows_are_never_emptied before truncate on purchases.invoice_rows
  for each statement execute function purchases.freeze_booked_rows();
create trigger payments_are_immutable before update or delete or truncate on purchases.payments
  for each statement execute function sales.refuse_change();
create trigger payments_are_judged after insert on purchases.payments
  referencing new table as added for each statement execute function sales.judge_purchase_payments();
create trigger payments_have_their_voucher after insert on purchases.payments
  referencing new table as added for each statement execute function purchases.judge_booked_payments();
create trigger payments_settle after insert on purchases.payments
  referencing new table as added for each statement execute function purchases.settle_added();
create trigger people_are_named before insert or update on purchases.payments
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();

alter table purchases.suppliers enable row level security;
create policy people_read on purchases.suppliers for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.suppliers to hb_app using ((select app.may('keep_books')));
create policy workers_work on purchases.suppliers to hb_worker using (true);
alter table purchases.supplier_accounts enable row level security;
create policy people_read on purchases.supplier_accounts for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.supplier_accounts to hb_app using ((select app.may('keep_books')));
create policy workers_work on purchases.supplier_accounts to hb_worker using (true);
alter table purchases.invoices enable row level security;
create policy people_read on purchases.invoices for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.invoices to hb_app using ((select app.may('keep_books')));
create policy workers_work on purchases.invoices to hb_worker using (true);
alter table purchases.invoice_rows enable row level security;
create policy people_read on purchases.invoice_rows for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.invoice_rows to hb_app using ((select app.may('keep_books')));
create policy workers_work on purchases.invoice_rows to hb_worker using (true);
alter table purchases.attachments enable row level security;
create policy people_read on purchases.attachments for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.attachments to hb_app using ((select app.may('keep_books')));
create policy workers_work on purchases.attachments to hb_worker using (true);
alter table purchases.payments enable row level security;
create policy people_read on purchases.payments for select to hb_app using ((select app.may('read')));
create policy people_write on purchases.payments to hb_app using ((select app.may('keep_books')));
create policy workers_work on purchases.payments to hb_worker using (true);
