-- What no API key ever reaches: the company's own details, its people and the stored keys.
-- Deny by default: no role gets anything here but through the functions that later files make.

create schema restricted;
create schema audit;

create table restricted.company (
  singleton boolean not null default true,
  id uuid not null,
  name text not null,
  organization_number text not null,
  vat_number text not null,
  created_at timestamptz not null default now(),
  -- When VAT is reported (skatteförfarandelagen 26 kap.); decides the deadlines people are shown.
  vat_period text not null default 'quarter',
  vat_large_taxpayer boolean not null default false,
  vat_yearly text not null default 'legal_person',
  vat_digital boolean not null default true,
  -- How orders become invoices.
  order_supply text not null default 'goods',
  order_payment_terms_days integer not null default 30,
  order_booking_is_automatic boolean not null default false,
  collective_customer_id uuid,
  constraint company_pkey primary key (singleton),
  constraint company_is_single check (singleton),
  constraint company_id_key unique (id),
  constraint company_name_length check (char_length(name) between 1 and 200),
  constraint company_organization_number_form check (organization_number ~ '^[0-9]{10}$'),
  constraint company_vat_period_known check (vat_period in ('month', 'quarter', 'year')),
  constraint company_vat_yearly_known
    check (vat_yearly in ('no_income_tax_return_or_eu_trade', 'sole_trader', 'legal_person')),
  constraint company_order_supply_known check (order_supply in ('goods', 'services')),
  constraint company_order_payment_terms_range check (order_payment_terms_days between 0 and 90)
);

create table restricted.users (
  id uuid not null,
  email text not null,
  role text not null,
  password_hash text,
  created_at timestamptz not null default now(),
  deactivated_at timestamptz,
  constraint users_pkey primary key (id),
  constraint users_role_known check (role in ('agare', 'administrator', 'medarbetare', 'lasare')),
  constraint users_email_length check (char_length(email) between 3 and 320)
);
create unique index users_email_key on restricted.users (lower(email));

-- Only a SHA-256 of the secret is kept: 256 random bits need no slow hash.
create table restricted.api_keys (
  id uuid not null,
  name text not null,
  hash bytea not null,
  hint text not null,
  scopes text[] not null,
  quota_per_hour integer not null default 600,
  created_at timestamptz not null default now(),
  created_by text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_hash_length check (octet_length(hash) = 32),
  constraint api_keys_name_length check (char_length(name) between 1 and 100),
  constraint api_keys_scopes_known check (
    scopes <@ array['data:read', 'intake:write', 'ledger:write'] and cardinality(scopes) > 0),
  constraint api_keys_quota_range check (quota_per_hour between 1 and 1000000000)
);

-- The quota window opens with the key's first call and lasts an hour. One row a key, updated in
-- place, so half-empty pages keep the updates off the index.
create table restricted.key_windows (
  key_id uuid not null,
  opened_at timestamptz not null,
  used bigint not null,
  last_used_at timestamptz not null,
  constraint key_windows_pkey primary key (key_id),
  constraint key_windows_key_fkey foreign key (key_id) references restricted.api_keys
) with (fillfactor = 50);

-- Calls that showed no valid key, by sender address.
create table restricted.address_windows (
  address inet not null,
  purpose text not null,
  opened_at timestamptz not null,
  used bigint not null,
  constraint address_windows_pkey primary key (address, purpose)
) with (fillfactor = 50);

-- The answer of every call that wrote something, kept for 72 h so that a retry gets the same one.
create table restricted.idempotency (
  key_id uuid not null,
  route text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  request text not null,
  request_id uuid not null,
  status smallint not null,
  response text not null,
  created_at timestamptz not null default now(),
  constraint idempotency_pkey primary key (key_id, route, idempotency_key),
  constraint idempotency_key_length check (char_length(idempotency_key) between 8 and 255)
);
create index idempotency_created_at on restricted.idempotency using brin (created_at);

-- Who did what, when: keys made and revoked, locks set, years closed, set-up, bookings.
create table audit.events (
  id uuid not null,
  occurred_at timestamptz not null default now(),
  actor text not null,
  request_id uuid,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}',
  constraint events_pkey primary key (id)
);
create index events_occurred_at on audit.events (occurred_at desc, id desc);

create function audit.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed or removed'
    using errcode = 'HB001', constraint = 'events_are_immutable';
end $$;
create trigger events_are_immutable before update or delete or truncate on audit.events
  for each statement execute function audit.refuse_change();
