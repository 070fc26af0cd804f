-- What a collection case needs beyond the invoice: how the creditor is reached and paid, agreed interest,
-- disputed claims, and a log of what has been exported. New columns and tables.

alter table restricted.company
  add column address text,
  add column postal_code text,
  add column city text,
  add column email text,
  add column phone text,
  add column bankgiro text,
  add column plusgiro text,
  add column iban text,
  -- The company's number with its collection agency.
  add column partner_account text;

-- Interest that was agreed on, in hundredths of a percentage point; null means the statutory one.
alter table sales.customers
  add column agreed_rate_e2 integer,
  add constraint customers_agreed_rate_range check (agreed_rate_e2 between 0 and 10000);

-- Claims that the creditor itself has judged disputed; the row goes when that is over.
create table sales.disputes (
  invoice_id uuid not null,
  reason text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint disputes_pkey primary key (invoice_id),
  constraint disputes_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint disputes_reason_length check (char_length(reason) between 1 and 500)
);
