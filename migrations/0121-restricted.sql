-- What no API key ever reaches: the company's own details, its people and the stored keys. Deny by default:
-- no role gets anything here but through functions and what grants.sql says.

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
  -- Other numbers that e-invoices may be addressed to: GLN and the like, as scheme:number.
  receiver_ids text[] not null default '{}',
  e_invoice_booking_is_automatic boolean not null default false,
  purchase_account integer not null default 4000,
  months_from date,
  address text,
  postal_code text,
  city text,
  email text,
  phone text,
  bankgiro text,
  plusgiro text,
  iban text,
  -- The company's number with its collection agency.
  partner_account text,
  -- "Godkänd för F-skatt" on invoices: the buyer then need not withhold tax (SFL 10 kap. 11 §).
  is_approved_for_f_tax boolean not null default false,
  -- `due_date`: the due date was agreed in advance (räntelagen 3 §); `demand`: it was not (4 §).
  interest_from text not null default 'due_date',
  -- The invoices say that interest is charged on delay (räntelagen 4 § 1 st.).
  interest_is_stated boolean not null default true,
  -- The terms of sale have a reminder fee (lag 1981:739, 2 §).
  reminder_fee_is_agreed boolean not null default false,
  -- Where the board has its seat: the law wants it on an invoice (aktiebolagslagen 2005:551, 28 kap. 5 §).
  seat text,
  constraint company_pkey primary key (singleton),
  constraint company_id_key unique (id),
  constraint company_is_single check (singleton),
  constraint company_name_length check (char_length(name) between 1 and 200),
  constraint company_organization_number_form check (organization_number ~ '^[0-9]{10}$'),
  constraint company_vat_period_known check (vat_period in ('month', 'quarter', 'year')),
  constraint company_vat_yearly_known
    check (vat_yearly in ('no_income_tax_return_or_eu_trade', 'sole_trader', 'legal_person')),
  constraint company_order_supply_known check (order_supply in ('goods', 'services')),
  constraint company_order_payment_terms_range check (order_payment_terms_days between 0 and 90),
  constraint company_months_from_first_of_month check (extract(day from months_from) = 1),
  constraint company_interest_from_known check (interest_from in ('due_date', 'demand')),
  constraint company_seat_length check (char_length(seat) <= 100)
);

create table restricted.users (
  id uuid not null,
  email text not null,
  role text not null,
  created_at timestamptz not null default now(),
  deactivated_at timestamptz,
  name text not null default '',
  -- Given by somebody else, so it must be changed at the first login.
  password_is_temporary boolean not null default false,
  totp_last_step bigint,
  last_login_at timestamptz,
  -- argon2id's result is 32 bytes; the verifier is their SHA-256, so that even who reads it must guess the
  -- password. The cost is written as in the PHC string: m=19456,t=2,p=1.
  password_salt bytea,
  password_cost text,
  password_verifier bytea,
  totp_hash bytea,
  sealed_totp_secret bytea,
  -- Whether somebody has a second factor is no secret; the secret itself no login reads.
  has_second_factor boolean generated always as (totp_hash is not null) stored not null,
  constraint users_pkey primary key (id),
  constraint users_role_known check (role in ('agare', 'administrator', 'medarbetare', 'lasare')),
  constraint users_email_length check (char_length(email) between 3 and 320),
  constraint users_name_length check (char_length(name) <= 200),
  constraint users_password_is_whole
    check (num_nulls(password_salt, password_cost, password_verifier) in (0, 3)),
  constraint users_password_salt_length check (octet_length(password_salt) between 8 and 64),
  constraint users_password_cost_form
    check (password_cost ~ '^m=[0-9]{1,6},t=[0-9]{1,2},p=[0-9]{1,2}$'),
  constraint users_password_verifier_length check (octet_length(password_verifier) = 32),
  constraint users_totp_hash_length check (octet_length(totp_hash) = 32),
  constraint users_sealed_needs_hash check (sealed_totp_secret is null or totp_hash is not null)
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
  legacy_name text,
  -- A key that was rotated names the one that takes its place.
  successor_id uuid,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_legacy_name_key unique (legacy_name),
  constraint api_keys_successor_fkey foreign key (successor_id) references restricted.api_keys,
  constraint api_keys_hash_length check (octet_length(hash) = 32),
  constraint api_keys_name_length check (char_length(name) between 1 and 100),
  constraint api_keys_scopes_known check (
    scopes <@ array['data:read', 'intake:write', 'ledger:write'] and cardinality(scopes) > 0),
  constraint api_keys_quota_range check (quota_per_hour between 1 and 1000000000),
  constraint api_keys_legacy_name_known check (
    legacy_name in ('STATS_API_KEY', 'ORDER_INBOUND_SECRET', 'PEPPOL_INBOUND_SECRET')),
  constraint api_keys_successor_is_another check (successor_id <> id)
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

-- Agencies: only hashes are kept. The key is issued here, in the client's installation.
create table restricted.agency_keys (
  id uuid not null,
  agency text not null,
  hash bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  last_exchanged_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  constraint agency_keys_pkey primary key (id),
  constraint agency_keys_hash_key unique (hash),
  constraint agency_keys_hash_length check (octet_length(hash) = 32),
  constraint agency_keys_agency_length check (char_length(agency) between 1 and 200)
);

create table restricted.agency_tokens (
  hash bytea not null,
  key_id uuid not null,
  expires_at timestamptz not null,
  constraint agency_tokens_pkey primary key (hash),
  constraint agency_tokens_key_fkey foreign key (key_id) references restricted.agency_keys
);
create index agency_tokens_expires_at on restricted.agency_tokens (expires_at);
create index agency_tokens_key on restricted.agency_tokens (key_id, expires_at);

-- Codes for whoever lost the telephone; each works once. Hashes of random secrets.
create table restricted.recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, hash),
  constraint recovery_codes_user_fkey foreign key (user_id) references restricted.users
);

-- Only the SHA-256 of what the browser holds. A session that still waits for the second factor opens
-- nothing.
create table restricted.sessions (
  hash bytea not null,
  user_id uuid not null,
  is_complete boolean not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  address inet,
  agent text not null default '',
  constraint sessions_pkey primary key (hash),
  constraint sessions_user_fkey foreign key (user_id) references restricted.users,
  constraint sessions_hash_length check (octet_length(hash) = 32),
  constraint sessions_agent_length check (char_length(agent) <= 300)
);
create index sessions_by_user on restricted.sessions (user_id);

-- What the first visit is guarded by: a secret printed where only the operator sees it. It opens an
-- installation that has no user, and nothing else.
create table restricted.setup_tokens (
  hash bytea not null,
  created_at timestamptz not null default now(),
  -- The transaction that sets up with a token. Until it commits it goes on as owner although it has made
  -- the first user; afterwards its number never comes again.
  claimed_by xid8,
  constraint setup_tokens_pkey primary key (hash)
);

-- Attempts to log in, by account (whether it exists or not) and by address.
create table restricted.login_windows (
  subject text not null,
  opened_at timestamptz not null,
  used bigint not null,
  constraint login_windows_pkey primary key (subject)
) with (fillfactor = 50);

-- A form is answered once: sent again, the person is shown what came of it the first time.
create table restricted.form_posts (
  id uuid not null,
  user_id uuid,
  location text not null,
  created_at timestamptz not null default now(),
  constraint form_posts_pkey primary key (id)
);
create index form_posts_created_at on restricted.form_posts (created_at);

-- The latest hundred calls of each key, as a ring: a call takes the place of the one a hundred before it,
-- so however much a key calls, its log stays a few pages that are updated in place.
create table restricted.key_call_counts (
  key_id uuid not null,
  calls bigint not null,
  constraint key_call_counts_pkey primary key (key_id),
  constraint key_call_counts_key_fkey foreign key (key_id) references restricted.api_keys
) with (fillfactor = 50);

create table restricted.key_calls (
  key_id uuid not null,
  place smallint not null,
  called_at timestamptz not null,
  -- Method and path as the route has it, without what the caller filled in.
  route text not null,
  status smallint not null,
  -- The error code, null when the call was answered as it wished.
  code text,
  duration_ms integer not null,
  request_id uuid not null,
  constraint key_calls_pkey primary key (key_id, place),
  constraint key_calls_key_fkey foreign key (key_id) references restricted.api_keys,
  constraint key_calls_place_range check (place between 0 and 99)
) with (fillfactor = 50);

-- Which processes run: each says so every quarter of a minute, and how many jobs of each queue it handled
-- in the latest minute.
create table restricted.processes (
  id uuid not null,
  host text not null,
  pid integer not null,
  parts text[] not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  handled jsonb not null default '{}',
  -- By queue: how long the process was at work in the latest minute, and at how much at a time it can be:
  -- {"order-intake": {"busy_ms": 5200, "slots": 2}}.
  work jsonb not null default '{}',
  constraint processes_pkey primary key (id),
  constraint processes_host_length check (char_length(host) <= 300)
) with (fillfactor = 50);

-- What a person has begun to type and not sent: each sees their own, in any browser, until it is sent, thrown
-- away, or a month old.
create table restricted.begun_forms (
  id uuid not null,
  user_id uuid not null,
  -- The page that it goes on at, with its query.
  address text not null,
  -- The form's fields as JSON text, `[["date","2026-03-31"],…]`; null once it is sent or thrown away, so that
  -- what was on its way from the browser meanwhile does not bring it back.
  pairs text,
  -- Whether it is offered on its page; others are only gone back to.
  is_offered boolean not null,
  kept_at timestamptz not null default now(),
  constraint begun_forms_pkey primary key (user_id, id),
  constraint begun_forms_user_id_fkey foreign key (user_id) references restricted.users on delete cascade,
  constraint begun_forms_address_length check (char_length(address) <= 1000),
  constraint begun_forms_pairs_size check (octet_length(pairs) <= 300000)
);
create index begun_forms_kept_at on restricted.begun_forms (kept_at);

-- Readiness asks whether the database can write, not only whether it answers: a full disk goes on answering
-- every question. What is written must need new room, since PostgreSQL finds room for a changed row in a
-- page that it has: so the table begins anew in a file of its own each time.
create table restricted.write_proofs (
  proved_at timestamptz not null
);

-- Out of which the salts of addresses without an account are made, the same each time.
create table restricted.login_salt (
  singleton boolean not null default true,
  secret bytea not null,
  constraint login_salt_pkey primary key (singleton),
  constraint login_salt_is_single check (singleton)
);
insert into restricted.login_salt (secret)
values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Tries of a password: counted when made, judged when answered, and told of only once both are committed.
-- Whoever rolls back to try again has learnt nothing by then.
create table restricted.password_tries (
  id uuid not null default gen_random_uuid(),
  -- Null when nobody with that address may log in.
  user_id uuid,
  -- The session it was made in, by somebody who shows that they are still themselves; null to log in.
  session bytea,
  made_at timestamptz not null default now(),
  answered_in xid8,
  is_right boolean,
  constraint password_tries_pkey primary key (id),
  constraint password_tries_user_fkey foreign key (user_id) references restricted.users,
  constraint password_tries_answered check ((answered_in is null) = (is_right is null))
);
create index password_tries_made_at on restricted.password_tries (made_at);

create table restricted.backups (
  id uuid not null,
  -- The moment that the backup shows the books at.
  taken_at timestamptz not null,
  finished_at timestamptz not null default now(),
  is_own boolean not null,
  -- Of our own: where it is, how large, and how much is in it.
  file text,
  size_bytes bigint,
  vouchers bigint,
  -- When it was restored into a server made for that, and how many problems the check of those books found.
  verified_at timestamptz,
  problems integer,
  -- Why it was not taken, or could not be proved.
  failure text,
  constraint backups_pkey primary key (id),
  constraint backups_size_not_negative check (size_bytes >= 0),
  constraint backups_verified_has_problems check ((verified_at is null) = (problems is null)),
  constraint backups_own_is_whole
    check ((file is null) = (size_bytes is null) and (is_own or (file is null and failure is null)))
);
create index backups_finished_at on restricted.backups (finished_at desc);

-- Which key the installation's secrets are sealed with, by its id: no part of it.
create table restricted.secrets_key (
  singleton boolean not null default true,
  key_id text not null,
  set_at timestamptz not null default now(),
  constraint secrets_key_pkey primary key (singleton),
  constraint secrets_key_is_single check (singleton),
  constraint secrets_key_id_form check (key_id ~ '^[0-9a-f]{16}$')
);

-- Secrets in clear text on their way to `place` (src/secrets/places.ts) of the row.
create table restricted.clear_secrets (
  place text not null,
  row_id uuid not null,
  secret bytea not null,
  constraint clear_secrets_pkey primary key (place, row_id)
);

-- functions: app.complete_user_id, app.current_user_id, app.end_old_sessions, app.keep_an_owner, app.may
-- functions: audit.require_event, restricted.stamp_key

create constraint trigger changes_are_written_down after insert or update on restricted.company
  deferrable initially deferred for each row execute function audit.require_event('^(company|setting)\.');
create constraint trigger changes_are_written_down after insert or delete or update of email, role,
  deactivated_at on restricted.users
  deferrable initially deferred for each row execute function audit.require_event('^user\.');
create trigger users_end_old_sessions after update of password_verifier, deactivated_at, totp_hash on
  restricted.users
  for each row
when (old.password_verifier is distinct from new.password_verifier or (old.deactivated_at is null and
  new.deactivated_at is not null) or old.totp_hash is distinct from new.totp_hash)
  execute function app.end_old_sessions();
create trigger users_have_an_owner before update of role, deactivated_at on restricted.users
  for each row when (old.role = 'agare' and old.deactivated_at is null
    and (new.role <> 'agare' or new.deactivated_at is not null))
  execute function app.keep_an_owner();
create trigger users_have_an_owner_left before delete on restricted.users
  for each row when (old.role = 'agare' and old.deactivated_at is null)
  execute function app.keep_an_owner();
create constraint trigger changes_are_written_down after insert or delete or update on restricted.api_keys
  deferrable initially deferred for each row execute function audit.require_event('^key\.');
create trigger people_are_named before insert or update on restricted.api_keys for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function restricted.stamp_key();
create constraint trigger changes_are_written_down after insert or delete or update of agency, hash,
  revoked_at on restricted.agency_keys
  deferrable initially deferred for each row execute function audit.require_event('^agency\.');
create trigger people_are_named before insert or update on restricted.agency_keys for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function restricted.stamp_key();

alter table restricted.company enable row level security;
create policy people_read on restricted.company for select to hb_app using ((select app.may('read')));
create policy people_write on restricted.company to hb_app using ((select app.may('administer')));
create policy workers_work on restricted.company to hb_worker using (true);
alter table restricted.users enable row level security;
create policy people_read on restricted.users for select to hb_app using ((select app.may('read')));
create policy people_write on restricted.users to hb_app using ((select app.may('own')));
alter table restricted.api_keys enable row level security;
create policy people_administer on restricted.api_keys to hb_app using ((select app.may('administer')));
create policy workers_work on restricted.api_keys to hb_worker using (true);
alter table restricted.key_windows enable row level security;
create policy people_administer on restricted.key_windows to hb_app using ((select app.may('administer')));
create policy workers_work on restricted.key_windows to hb_worker using (true);
alter table restricted.agency_keys enable row level security;
create policy people_administer on restricted.agency_keys to hb_app using ((select app.may('administer')));
create policy workers_work on restricted.agency_keys to hb_worker using (true);
alter table restricted.agency_tokens enable row level security;
create policy people_administer on restricted.agency_tokens to hb_app using ((select app.may('administer')));
create policy workers_work on restricted.agency_tokens to hb_worker using (true);
alter table restricted.sessions enable row level security;
-- Owners see everybody's sessions, and end them.
create policy owners_see_all on restricted.sessions to hb_app using ((select app.may('own')));
create policy people_see_their_own on restricted.sessions to hb_app
  using (user_id = (select app.complete_user_id()));
alter table restricted.key_calls enable row level security;
create policy people_administer on restricted.key_calls for select to hb_app using ((select app.may('administer')));
alter table restricted.processes enable row level security;
create policy people_administer on restricted.processes to hb_app using ((select app.may('administer')));
alter table restricted.begun_forms enable row level security;
create policy people_see_their_own on restricted.begun_forms to hb_app
  using (user_id = (select app.current_user_id()) and (select app.may('read')));
alter table restricted.backups enable row level security;
create policy people_administer on restricted.backups for select to hb_app using ((select app.may('administer')));
create policy workers_look on restricted.backups for select to hb_worker using (true);
