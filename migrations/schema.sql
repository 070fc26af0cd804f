-- What a new database holds, for whoever reviews a change of it: written by
-- npx vitest run --project database test/database/privileges.test.ts -u
-- which compares it, as huvudbok verify does with the books that it checks. Nothing runs it. The functions
-- themselves are in functions/; here is who they are, and the beginning of the SHA-256 of what they do.

create table archive.contents (
  sha256 bytea not null,
  bytes bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint contents_hash_is_true CHECK ((sha256 = sha256(bytes))),
  constraint contents_pkey PRIMARY KEY (sha256),
  constraint contents_size CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 10485760)))
);
CREATE TRIGGER contents_are_immutable BEFORE UPDATE OR TRUNCATE ON archive.contents FOR EACH STATEMENT EXECUTE FUNCTION archive.refuse_change();
CREATE TRIGGER times_are_real BEFORE INSERT OR UPDATE OF created_at ON archive.contents FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_time();
alter table archive.contents enable row level security;
create policy people_read on archive.contents for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on archive.contents to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on archive.contents to hb_worker using (true);

create table archive.pages (
  sha256 bytea not null,
  html text not null,
  created_at timestamp with time zone not null default now(),
  asked_by text,
  constraint pages_hash_is_true CHECK ((sha256 = sha256(convert_to(html, 'UTF8'::name)))),
  constraint pages_pkey PRIMARY KEY (sha256),
  constraint pages_size CHECK (((octet_length(html) >= 1) AND (octet_length(html) <= 8000000)))
);
CREATE INDEX pages_by_age ON archive.pages USING btree (created_at);
CREATE INDEX pages_by_asker ON archive.pages USING btree (asked_by, created_at) WHERE (asked_by IS NOT NULL);
CREATE TRIGGER pages_are_bounded BEFORE INSERT ON archive.pages FOR EACH ROW WHEN ((SESSION_USER = 'hb_app'::name)) EXECUTE FUNCTION archive.bound_pages();
CREATE TRIGGER pages_are_immutable BEFORE UPDATE OR TRUNCATE ON archive.pages FOR EACH STATEMENT EXECUTE FUNCTION archive.refuse_change();
alter table archive.pages enable row level security;
create policy people_read on archive.pages for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on archive.pages to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on archive.pages to hb_worker using (true);

create table archive.previews (
  source_sha256 bytea not null,
  sha256 bytea,
  attempts smallint not null default 0,
  has_failed boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint previews_attempts_range CHECK (((attempts >= 0) AND (attempts <= 3))),
  constraint previews_content_fkey FOREIGN KEY (sha256) REFERENCES archive.contents(sha256),
  constraint previews_failed_have_none CHECK (((NOT has_failed) OR (sha256 IS NULL))),
  constraint previews_pkey PRIMARY KEY (source_sha256),
  constraint previews_source_fkey FOREIGN KEY (source_sha256) REFERENCES archive.contents(sha256)
);
CREATE INDEX previews_by_age ON archive.previews USING btree (created_at);
CREATE INDEX previews_by_content ON archive.previews USING btree (sha256);
alter table archive.previews enable row level security;
create policy people_read on archive.previews for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table archive.renderings (
  page_sha256 bytea not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint renderings_content_fkey FOREIGN KEY (sha256) REFERENCES archive.contents(sha256),
  constraint renderings_page_fkey FOREIGN KEY (page_sha256) REFERENCES archive.pages(sha256),
  constraint renderings_pkey PRIMARY KEY (page_sha256)
);
CREATE INDEX renderings_by_content ON archive.renderings USING btree (sha256);
CREATE TRIGGER renderings_are_immutable BEFORE UPDATE OR TRUNCATE ON archive.renderings FOR EACH STATEMENT EXECUTE FUNCTION archive.refuse_change();
CREATE TRIGGER times_are_real BEFORE INSERT OR UPDATE OF created_at ON archive.renderings FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_time();
alter table archive.renderings enable row level security;
create policy people_read on archive.renderings for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on archive.renderings to hb_worker using (true);

create table audit.events (
  id uuid not null,
  occurred_at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  request_id uuid default (NULLIF(current_setting('huvudbok.request_id'::text, true), ''::text))::uuid,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}'::jsonb,
  constraint events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_by_action_and_time ON audit.events USING btree (action, occurred_at DESC, id DESC);
CREATE INDEX events_by_actor ON audit.events USING btree (actor, occurred_at DESC, id DESC);
CREATE INDEX events_by_request ON audit.events USING btree (request_id) WHERE (request_id IS NOT NULL);
CREATE INDEX events_by_subject ON audit.events USING btree (subject, occurred_at DESC, id DESC);
CREATE INDEX events_by_words ON audit.events USING gin (audit.words_of(subject, detail));
CREATE INDEX events_occurred_at ON audit.events USING btree (occurred_at DESC, id DESC);
CREATE TRIGGER events_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON audit.events FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse_change();
alter table audit.events enable row level security;
create policy people_read on audit.events for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table audit.verifications (
  id uuid not null,
  finished_at timestamp with time zone not null default now(),
  actor text not null,
  vouchers bigint not null,
  problems jsonb not null,
  constraint verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX verifications_finished_at ON audit.verifications USING btree (finished_at DESC);
CREATE TRIGGER people_are_named BEFORE INSERT ON audit.verifications FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_verification();
alter table audit.verifications enable row level security;
create policy people_read on audit.verifications for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on audit.verifications to hb_worker using (true);

create table bank.accounts (
  id uuid not null,
  name text not null,
  ledger_account integer not null,
  iban text,
  is_active boolean not null default true,
  kind text not null default 'bank'::text,
  number text,
  bankgiro text,
  constraint accounts_bankgiro_form CHECK ((bankgiro ~ '^[0-9]{7,8}$'::text)),
  constraint accounts_bankgiro_key UNIQUE (bankgiro),
  constraint accounts_iban_key UNIQUE (iban),
  constraint accounts_kind_known CHECK ((kind = ANY (ARRAY['bank'::text, 'tax'::text, 'cash'::text, 'clearing'::text]))),
  constraint accounts_ledger_account_fkey FOREIGN KEY (ledger_account) REFERENCES ledger.accounts(number),
  constraint accounts_ledger_account_is_money CHECK (
CASE kind
    WHEN 'tax'::text THEN ((ledger_account >= 1630) AND (ledger_account <= 1639))
    WHEN 'clearing'::text THEN ((ledger_account >= 1500) AND (ledger_account <= 1699))
    ELSE ((ledger_account >= 1900) AND (ledger_account <= 1999))
END),
  constraint accounts_ledger_account_key UNIQUE (ledger_account),
  constraint accounts_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint accounts_number_form CHECK ((number ~ '^[0-9]{5,34}$'::text)),
  constraint accounts_number_key UNIQUE (number),
  constraint accounts_pkey PRIMARY KEY (id)
);
CREATE TRIGGER rows_are_touched AFTER UPDATE OF iban ON bank.accounts FOR EACH ROW WHEN ((old.iban IS DISTINCT FROM new.iban)) EXECUTE FUNCTION bank.touch_rows();
alter table bank.accounts enable row level security;
create policy people_read on bank.accounts for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.accounts to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on bank.accounts to hb_worker using (true);

create table bank.announcements (
  id uuid not null,
  account_id uuid not null,
  statement_id uuid not null,
  fingerprint bytea not null,
  ordinal integer not null,
  booked_on date not null,
  amount_ore bigint not null,
  description text not null,
  bank_reference text,
  servicer_reference text,
  transaction_id uuid,
  constraint announcements_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint announcements_amount_range CHECK (((amount_ore >= '-999999999999'::bigint) AND (amount_ore <= '999999999999'::bigint))),
  constraint announcements_days_are_days CHECK (((booked_on >= '0001-01-01'::date) AND (booked_on <= '9999-12-31'::date))),
  constraint announcements_once UNIQUE (account_id, fingerprint, ordinal),
  constraint announcements_pkey PRIMARY KEY (id),
  constraint announcements_statement_fkey FOREIGN KEY (statement_id) REFERENCES bank.imported_statements(id),
  constraint announcements_texts_length CHECK (((char_length(description) <= 2000) AND (char_length(bank_reference) <= 2000) AND (char_length(servicer_reference) <= 2000))),
  constraint announcements_transaction_fkey FOREIGN KEY (transaction_id) REFERENCES bank.transactions(id)
);
CREATE INDEX announcements_by_transaction ON bank.announcements USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);
CREATE INDEX announcements_waiting ON bank.announcements USING btree (account_id, booked_on) WHERE (transaction_id IS NULL);
alter table bank.announcements enable row level security;
create policy people_read on bank.announcements for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table bank.days (
  account_id uuid not null,
  day date not null,
  opening_ore bigint,
  closing_ore bigint,
  is_from_start boolean not null,
  is_to_end boolean not null,
  constraint days_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint days_are_days CHECK (((day >= '0001-01-01'::date) AND (day <= '9999-12-31'::date))),
  constraint days_closing_range CHECK (((closing_ore >= '-4000000000000000000'::bigint) AND (closing_ore <= '4000000000000000000'::bigint))),
  constraint days_opening_range CHECK (((opening_ore >= '-4000000000000000000'::bigint) AND (opening_ore <= '4000000000000000000'::bigint))),
  constraint days_pkey PRIMARY KEY (account_id, day)
);
alter table bank.days enable row level security;
create policy people_read on bank.days for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table bank.details (
  transaction_id uuid,
  announcement_id uuid,
  place integer not null,
  amount_ore bigint,
  currency text,
  end_to_end_id text,
  batch_id text,
  payment_id text,
  servicer_reference text,
  creditor_references text[] not null,
  documents jsonb not null,
  texts text[] not null,
  debtor jsonb not null,
  creditor jsonb not null,
  return_reason text,
  constraint details_amount_range CHECK (((amount_ore >= '-999999999999'::bigint) AND (amount_ore <= '999999999999'::bigint))),
  constraint details_announcement_fkey FOREIGN KEY (announcement_id) REFERENCES bank.announcements(id),
  constraint details_creditor_is_a_party CHECK (COALESCE(((jsonb_typeof(creditor) = 'object'::text) AND (jsonb_typeof((creditor -> 'name'::text)) = ANY (ARRAY['string'::text, 'null'::text])) AND (jsonb_typeof((creditor -> 'account'::text)) = ANY (ARRAY['string'::text, 'null'::text])) AND (jsonb_typeof((creditor -> 'accountKind'::text)) = ANY (ARRAY['string'::text, 'null'::text])) AND (pg_column_size(creditor) <= 30000)), false)),
  constraint details_debtor_is_a_party CHECK (COALESCE(((jsonb_typeof(debtor) = 'object'::text) AND (jsonb_typeof((debtor -> 'name'::text)) = ANY (ARRAY['string'::text, 'null'::text])) AND (jsonb_typeof((debtor -> 'account'::text)) = ANY (ARRAY['string'::text, 'null'::text])) AND (jsonb_typeof((debtor -> 'accountKind'::text)) = ANY (ARRAY['string'::text, 'null'::text])) AND (pg_column_size(debtor) <= 30000)), false)),
  constraint details_documents_are_documents CHECK (
CASE
    WHEN (jsonb_typeof(documents) = 'array'::text) THEN ((jsonb_array_length(documents) <= 100) AND (pg_column_size(documents) <= 2000000) AND (NOT jsonb_path_exists(documents, 'strict $[*]?(@.type() != "object")'::jsonpath)) AND (NOT jsonb_path_exists(documents, '$[*]?(!(@."number".type() == "string") || !(@."kind".type() == "string" || @."kind".type() == "null"))'::jsonpath)))
    ELSE false
END),
  constraint details_of_one CHECK ((num_nonnulls(transaction_id, announcement_id) = 1)),
  constraint details_references_are_texts CHECK (((cardinality(creditor_references) <= 100) AND (COALESCE(array_ndims(creditor_references), 1) = 1) AND (array_position(creditor_references, NULL::text) IS NULL) AND (char_length(array_to_string(creditor_references, ''::text)) <= 200000))),
  constraint details_texts_are_texts CHECK (((cardinality(texts) <= 100) AND (COALESCE(array_ndims(texts), 1) = 1) AND (array_position(texts, NULL::text) IS NULL) AND (char_length(array_to_string(texts, ''::text)) <= 200000))),
  constraint details_texts_length CHECK (((char_length(currency) <= 2000) AND (char_length(end_to_end_id) <= 2000) AND (char_length(batch_id) <= 2000) AND (char_length(payment_id) <= 2000) AND (char_length(servicer_reference) <= 2000) AND (char_length(return_reason) <= 2000))),
  constraint details_transaction_fkey FOREIGN KEY (transaction_id) REFERENCES bank.transactions(id)
);
CREATE INDEX details_by_payer ON bank.details USING btree (((debtor ->> 'account'::text))) WHERE ((debtor ->> 'account'::text) IS NOT NULL);
CREATE UNIQUE INDEX details_by_announcement ON bank.details USING btree (announcement_id, place) WHERE (announcement_id IS NOT NULL);
CREATE UNIQUE INDEX details_by_transaction ON bank.details USING btree (transaction_id, place) WHERE (transaction_id IS NOT NULL);
CREATE TRIGGER details_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON bank.details FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();
alter table bank.details enable row level security;
create policy people_read on bank.details for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table bank.files (
  sha256 bytea not null,
  file_name text not null,
  size bigint not null,
  gzip bytea not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint files_name_length CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint files_pkey PRIMARY KEY (sha256),
  constraint files_size CHECK ((octet_length(gzip) <= 104857600))
);
CREATE TRIGGER people_are_named BEFORE INSERT ON bank.files FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table bank.files enable row level security;
create policy people_read on bank.files for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.files to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table bank.import_files (
  import_id uuid not null,
  place integer not null,
  sha256 bytea not null,
  file_name text not null,
  constraint import_files_file_fkey FOREIGN KEY (sha256) REFERENCES bank.files(sha256),
  constraint import_files_import_fkey FOREIGN KEY (import_id) REFERENCES bank.imports(id) ON DELETE CASCADE,
  constraint import_files_name_length CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint import_files_pkey PRIMARY KEY (import_id, place)
);
CREATE INDEX import_files_by_file ON bank.import_files USING btree (sha256);
CREATE TRIGGER files_come_before_asking BEFORE INSERT ON bank.import_files FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION bank.refuse_late_file();
alter table bank.import_files enable row level security;
create policy people_read on bank.import_files for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.import_files to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table bank.imported_statements (
  id uuid not null,
  import_id uuid not null,
  account_id uuid not null,
  sha256 bytea,
  place integer not null,
  format text not null,
  bank_id text,
  sequence bigint,
  is_notice boolean not null,
  first_day date,
  last_day date,
  opening_ore bigint,
  closing_ore bigint,
  entries integer not null,
  added integer not null,
  created_at timestamp with time zone not null default now(),
  constraint imported_statements_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint imported_statements_closing_range CHECK (((closing_ore >= '-4000000000000000000'::bigint) AND (closing_ore <= '4000000000000000000'::bigint))),
  constraint imported_statements_counts CHECK (((place > 0) AND (entries >= 0) AND (added >= 0))),
  constraint imported_statements_file_fkey FOREIGN KEY (sha256) REFERENCES bank.files(sha256),
  constraint imported_statements_first_day_is_a_day CHECK (((first_day >= '0001-01-01'::date) AND (first_day <= '9999-12-31'::date))),
  constraint imported_statements_import_fkey FOREIGN KEY (import_id) REFERENCES bank.imports(id),
  constraint imported_statements_last_day_is_a_day CHECK (((last_day >= '0001-01-01'::date) AND (last_day <= '9999-12-31'::date))),
  constraint imported_statements_opening_range CHECK (((opening_ore >= '-4000000000000000000'::bigint) AND (opening_ore <= '4000000000000000000'::bigint))),
  constraint imported_statements_pkey PRIMARY KEY (id),
  constraint imported_statements_texts_length CHECK (((char_length(format) <= 50) AND (char_length(bank_id) <= 2000)))
);
CREATE INDEX imported_statements_by_account ON bank.imported_statements USING btree (account_id, last_day);
CREATE INDEX imported_statements_by_import ON bank.imported_statements USING btree (import_id);
CREATE TRIGGER exact_rows_are_booked AFTER INSERT ON bank.imported_statements FOR EACH STATEMENT EXECUTE FUNCTION bank.ask_for_booking();
CREATE TRIGGER imported_statements_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON bank.imported_statements FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();
alter table bank.imported_statements enable row level security;
create policy people_read on bank.imported_statements for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy worker_reads on bank.imported_statements for select to hb_worker using (true);

create table bank.imports (
  id uuid not null,
  account_id uuid,
  is_accepted boolean not null default false,
  equal_rows text,
  asked_at timestamp with time zone,
  read_bytes bigint not null default 0,
  failed_at timestamp with time zone,
  refusal jsonb,
  finished_at timestamp with time zone,
  report jsonb,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  asked_by text,
  constraint imports_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint imports_asked_by_somebody CHECK (((asked_at IS NULL) = (asked_by IS NULL))),
  constraint imports_equal_rows_known CHECK ((equal_rows = ANY (ARRAY['new'::text, 'known'::text]))),
  constraint imports_finished_with_report CHECK (((finished_at IS NULL) = (report IS NULL))),
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_refused_when_failed CHECK (((refusal IS NULL) OR (failed_at IS NOT NULL)))
);
CREATE INDEX imports_by_time ON bank.imports USING btree (created_at);
CREATE TRIGGER askers_are_named BEFORE UPDATE OF account_id, is_accepted, equal_rows, asked_at, asked_by ON bank.imports FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION bank.stamp_asked();
CREATE TRIGGER people_are_named BEFORE INSERT ON bank.imports FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table bank.imports enable row level security;
create policy people_read on bank.imports for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.imports to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on bank.imports to hb_worker using (true);

create table bank.mappings (
  id uuid not null,
  headings text[] not null,
  roles text[] not null,
  decimal_mark text not null,
  day_order text not null,
  is_reversed boolean not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint mappings_day_order_known CHECK ((day_order = ANY (ARRAY['ymd'::text, 'dmy'::text, 'compact'::text]))),
  constraint mappings_decimal_mark_known CHECK ((decimal_mark = ANY (ARRAY[','::text, '.'::text]))),
  constraint mappings_headings_key UNIQUE (headings),
  constraint mappings_headings_shape CHECK (((cardinality(headings) >= 3) AND (cardinality(headings) <= 200) AND (array_ndims(headings) = 1) AND (array_position(headings, NULL::text) IS NULL) AND (char_length(array_to_string(headings, ''::text)) <= 2000))),
  constraint mappings_of_every_heading CHECK ((cardinality(roles) = cardinality(headings))),
  constraint mappings_pkey PRIMARY KEY (id),
  constraint mappings_roles_known CHECK (((array_remove(roles, NULL::text) <@ ARRAY['date'::text, 'valueDate'::text, 'text'::text, 'amount'::text, 'deposit'::text, 'withdrawal'::text, 'balance'::text, 'reference'::text, 'otherName'::text]) AND (array_ndims(roles) = 1)))
);
CREATE TRIGGER people_are_named BEFORE INSERT ON bank.mappings FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table bank.mappings enable row level security;
create policy people_read on bank.mappings for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.mappings to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table bank.provider_settlement_lines (
  settlement_id uuid not null,
  place integer not null,
  kind text not null,
  amount_ore bigint not null,
  account integer,
  reverse_charge_vat_ore bigint,
  text text,
  reference text,
  constraint provider_settlement_lines_amount_not_zero CHECK ((amount_ore <> 0)),
  constraint provider_settlement_lines_kind_known CHECK ((kind = ANY (ARRAY['sale'::text, 'refund'::text, 'fee'::text, 'fee_vat'::text, 'adjustment'::text, 'reserve'::text]))),
  constraint provider_settlement_lines_pkey PRIMARY KEY (settlement_id, place),
  constraint provider_settlement_lines_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 100))),
  constraint provider_settlement_lines_settlement_fkey FOREIGN KEY (settlement_id) REFERENCES bank.provider_settlements(id),
  constraint provider_settlement_lines_text_length CHECK ((char_length(text) <= 500))
);
CREATE TRIGGER lines_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON bank.provider_settlement_lines FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();
alter table bank.provider_settlement_lines enable row level security;
create policy people_read on bank.provider_settlement_lines for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table bank.provider_settlements (
  id uuid not null,
  provider text not null,
  number text not null,
  day date not null,
  account integer not null,
  payout_ore bigint not null,
  payout_reference text,
  country text not null,
  content_hash bytea not null,
  voucher_id uuid not null,
  payout_voucher_id uuid,
  taken_back_by uuid,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint provider_settlements_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint provider_settlements_country_form CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint provider_settlements_hash_length CHECK ((octet_length(content_hash) = 32)),
  constraint provider_settlements_number_length CHECK (((char_length(number) >= 1) AND (char_length(number) <= 100))),
  constraint provider_settlements_payout_voucher_fkey FOREIGN KEY (payout_voucher_id) REFERENCES ledger.vouchers(id),
  constraint provider_settlements_pkey PRIMARY KEY (id),
  constraint provider_settlements_provider_length CHECK (((char_length(provider) >= 1) AND (char_length(provider) <= 100))),
  constraint provider_settlements_reference_length CHECK (((char_length(payout_reference) >= 1) AND (char_length(payout_reference) <= 100))),
  constraint provider_settlements_taken_back_by_fkey FOREIGN KEY (taken_back_by) REFERENCES ledger.vouchers(id),
  constraint provider_settlements_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id),
  constraint provider_settlements_voucher_key UNIQUE (voucher_id)
);
CREATE INDEX provider_settlements_in_order ON bank.provider_settlements USING btree (day, id);
CREATE INDEX provider_settlements_waiting ON bank.provider_settlements USING btree (payout_ore) WHERE ((payout_voucher_id IS NULL) AND (taken_back_by IS NULL));
CREATE UNIQUE INDEX provider_settlements_once ON bank.provider_settlements USING btree (lower(provider), lower(number)) WHERE (taken_back_by IS NULL);
CREATE UNIQUE INDEX provider_settlements_payout_once ON bank.provider_settlements USING btree (payout_voucher_id) WHERE (payout_voucher_id IS NOT NULL);
CREATE TRIGGER people_are_named BEFORE INSERT ON bank.provider_settlements FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER settlements_are_guarded BEFORE DELETE OR UPDATE ON bank.provider_settlements FOR EACH ROW EXECUTE FUNCTION bank.guard_provider_settlement();
CREATE TRIGGER settlements_are_never_emptied BEFORE TRUNCATE ON bank.provider_settlements FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();
alter table bank.provider_settlements enable row level security;
create policy people_read on bank.provider_settlements for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.provider_settlements to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table bank.rules (
  id uuid not null,
  text text not null,
  direction text,
  account integer not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint rules_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint rules_direction_known CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
  constraint rules_pkey PRIMARY KEY (id),
  constraint rules_text_length CHECK (((char_length(text) >= 3) AND (char_length(text) <= 100)))
);
CREATE UNIQUE INDEX rules_once ON bank.rules USING btree (lower(text), COALESCE(direction, ''::text));
CREATE TRIGGER people_are_named BEFORE INSERT ON bank.rules FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table bank.rules enable row level security;
create policy people_read on bank.rules for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.rules to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table bank.sign_offs (
  id uuid not null,
  account_id uuid not null,
  day date not null,
  summary jsonb not null,
  note text not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint sign_offs_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint sign_offs_days_are_days CHECK (((day >= '0001-01-01'::date) AND (day <= '9999-12-31'::date))),
  constraint sign_offs_note_length CHECK ((char_length(note) <= 500)),
  constraint sign_offs_pkey PRIMARY KEY (id),
  constraint sign_offs_summary_size CHECK (((jsonb_typeof(summary) = 'object'::text) AND (pg_column_size(summary) <= 10000)))
);
CREATE INDEX sign_offs_by_day ON bank.sign_offs USING btree (account_id, day);
CREATE TRIGGER people_are_named BEFORE INSERT ON bank.sign_offs FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER sign_offs_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON bank.sign_offs FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();
alter table bank.sign_offs enable row level security;
create policy people_read on bank.sign_offs for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.sign_offs to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table bank.statements (
  account_id uuid not null,
  closing_date date not null,
  balance_ore bigint not null,
  constraint statements_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint statements_balance_range CHECK (((balance_ore >= '-4000000000000000000'::bigint) AND (balance_ore <= '4000000000000000000'::bigint))),
  constraint statements_days_are_days CHECK (((closing_date >= '0001-01-01'::date) AND (closing_date <= '9999-12-31'::date))),
  constraint statements_pkey PRIMARY KEY (account_id, closing_date)
);
CREATE TRIGGER told_balances_stay BEFORE INSERT OR UPDATE ON bank.statements FOR EACH ROW WHEN ((SESSION_USER = 'hb_app'::name)) EXECUTE FUNCTION bank.keep_told_balance();
alter table bank.statements enable row level security;
create policy people_read on bank.statements for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.statements to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on bank.statements to hb_worker using (true);

create table bank.transactions (
  id uuid not null,
  account_id uuid not null,
  reference text not null,
  booked_on date not null,
  amount_ore bigint not null,
  description text not null,
  voucher_id uuid,
  matched_at timestamp with time zone,
  matched_by text,
  created_at timestamp with time zone not null default now(),
  statement_id uuid,
  line integer,
  value_date date,
  balance_after_ore bigint,
  bank_reference text,
  servicer_reference text,
  code text,
  is_reversal boolean not null default false,
  undone_at timestamp with time zone,
  act_id uuid,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  constraint transactions_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint transactions_amount_not_zero CHECK ((amount_ore <> 0)),
  constraint transactions_amount_range CHECK (((amount_ore >= '-999999999999'::bigint) AND (amount_ore <= '999999999999'::bigint))),
  constraint transactions_balance_range CHECK (((balance_after_ore >= '-4000000000000000000'::bigint) AND (balance_after_ore <= '4000000000000000000'::bigint))),
  constraint transactions_booked_on_is_a_day CHECK (((booked_on >= '0001-01-01'::date) AND (booked_on <= '9999-12-31'::date))),
  constraint transactions_description_length CHECK ((char_length(description) <= 500)),
  constraint transactions_match_is_whole CHECK ((((voucher_id IS NULL) = (matched_at IS NULL)) AND ((voucher_id IS NULL) = (matched_by IS NULL)))),
  constraint transactions_pkey PRIMARY KEY (id),
  constraint transactions_reference_key UNIQUE (account_id, reference),
  constraint transactions_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200))),
  constraint transactions_sent_or_typed CHECK (((statement_id IS NULL) OR (reference !~~ 'manuell-%'::text))),
  constraint transactions_statement_fkey FOREIGN KEY (statement_id) REFERENCES bank.imported_statements(id),
  constraint transactions_texts_length CHECK (((char_length(bank_reference) <= 2000) AND (char_length(servicer_reference) <= 2000) AND (char_length(code) <= 2000))),
  constraint transactions_value_date_is_a_day CHECK (((value_date >= '0001-01-01'::date) AND (value_date <= '9999-12-31'::date))),
  constraint transactions_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX transactions_alike ON bank.transactions USING btree ("left"(lower(description), 10)) WHERE (voucher_id IS NOT NULL);
CREATE INDEX transactions_by_act ON bank.transactions USING btree (act_id) WHERE (act_id IS NOT NULL);
CREATE INDEX transactions_by_change ON bank.transactions USING btree (updated_at);
CREATE INDEX transactions_by_day ON bank.transactions USING btree (account_id, booked_on);
CREATE INDEX transactions_by_statement ON bank.transactions USING btree (statement_id) WHERE (statement_id IS NOT NULL);
CREATE INDEX transactions_by_voucher ON bank.transactions USING btree (voucher_id) WHERE (voucher_id IS NOT NULL);
CREATE INDEX transactions_in_order ON bank.transactions USING btree (booked_on, id);
CREATE INDEX transactions_unmatched ON bank.transactions USING btree (booked_on) WHERE (voucher_id IS NULL);
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON bank.transactions FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER documents_are_held AFTER UPDATE ON bank.transactions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION bank.hold_documents();
CREATE TRIGGER matches_are_guarded AFTER UPDATE ON bank.transactions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION bank.guard_matches();
CREATE TRIGGER matches_are_told AFTER UPDATE ON bank.transactions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION events.note_matches();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE OF voucher_id, matched_by, matched_at ON bank.transactions FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION bank.stamp_match();
CREATE TRIGGER removals_are_told AFTER DELETE ON bank.transactions FOR EACH ROW EXECUTE FUNCTION events.note_removed('banktransaktioner', 'id');
CREATE TRIGGER times_are_real BEFORE INSERT OR UPDATE OF created_at ON bank.transactions FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_time();
CREATE TRIGGER transactions_are_guarded AFTER DELETE ON bank.transactions FOR EACH ROW EXECUTE FUNCTION bank.guard_transaction();
alter table bank.transactions enable row level security;
create policy people_read on bank.transactions for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.transactions to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on bank.transactions to hb_worker using (true);

create table bank.undone_bookings (
  voucher_id uuid not null,
  taken_back_by uuid not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint undone_bookings_pkey PRIMARY KEY (voucher_id),
  constraint undone_bookings_taken_back_by_fkey FOREIGN KEY (taken_back_by) REFERENCES ledger.vouchers(id),
  constraint undone_bookings_taken_back_by_key UNIQUE (taken_back_by),
  constraint undone_bookings_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE TRIGGER documents_are_held AFTER INSERT ON bank.undone_bookings FOR EACH ROW EXECUTE FUNCTION bank.hold_documents_of('voucher_id', 'taken_back_by');
CREATE TRIGGER people_are_named BEFORE INSERT ON bank.undone_bookings FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER undone_bookings_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON bank.undone_bookings FOR EACH STATEMENT EXECUTE FUNCTION bank.refuse_change();
CREATE TRIGGER undone_bookings_are_judged BEFORE INSERT ON bank.undone_bookings FOR EACH ROW EXECUTE FUNCTION bank.judge_undone();
alter table bank.undone_bookings enable row level security;
create policy people_read on bank.undone_bookings for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on bank.undone_bookings to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table events.attempts (
  delivery_id uuid not null,
  number integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  status integer,
  error text,
  constraint attempts_delivery_fkey FOREIGN KEY (delivery_id) REFERENCES events.deliveries(id) ON DELETE CASCADE,
  constraint attempts_pkey PRIMARY KEY (delivery_id, number)
);
alter table events.attempts enable row level security;
create policy people_administer on events.attempts to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on events.attempts to hb_worker using (true);

create view events.clock as
 SELECT events.writing_epoch() AS epoch;

create table events.deliveries (
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  subject uuid not null,
  occurred_at timestamp with time zone not null,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint deliveries_endpoint_fkey FOREIGN KEY (endpoint_id) REFERENCES events.endpoints(id) ON DELETE CASCADE,
  constraint deliveries_finished CHECK (((state = 'pending'::text) = (finished_at IS NULL))),
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_state_known CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX deliveries_by_endpoint ON events.deliveries USING btree (endpoint_id, created_at);
CREATE INDEX deliveries_due ON events.deliveries USING btree (endpoint_id, next_attempt_at) WHERE (state = 'pending'::text);
CREATE INDEX deliveries_failed ON events.deliveries USING btree (endpoint_id, created_at, id) WHERE (state = 'failed'::text);
CREATE INDEX deliveries_finished_at ON events.deliveries USING btree (finished_at);
alter table events.deliveries enable row level security;
create policy people_administer on events.deliveries to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on events.deliveries to hb_worker using (true);

create table events.endpoints (
  id uuid not null,
  url text not null,
  description text not null default ''::text,
  types text[] not null default '{}'::text[],
  previous_secret_until timestamp with time zone,
  after_epoch integer not null,
  after_xid xid8 not null,
  after_seq bigint not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_reason text,
  sealed_secret bytea,
  previous_sealed_secret bytea,
  secret_key_id text generated always as (encode(substr(sealed_secret, 2, 8), 'hex'::text)) stored,
  held_until timestamp with time zone,
  constraint endpoints_description_length CHECK ((char_length(description) <= 200)),
  constraint endpoints_disabled_has_reason CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint endpoints_pkey PRIMARY KEY (id),
  constraint endpoints_url_length CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2000)))
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE OF url, types, sealed_secret, disabled_at ON events.endpoints DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^webhook\.');
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON events.endpoints FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table events.endpoints enable row level security;
create policy people_administer on events.endpoints to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on events.endpoints to hb_worker using (true);

create table events.epochs (
  epoch integer not null,
  run timestamp with time zone not null,
  last_xid xid8 not null default '0'::xid8,
  last_seq bigint not null default 0,
  constraint epochs_pkey PRIMARY KEY (epoch),
  constraint epochs_run_key UNIQUE (run)
);

create table events.outbox (
  epoch integer not null default events.writing_epoch(),
  xid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity not null,
  type text not null,
  subject uuid not null,
  occurred_at timestamp with time zone not null default now(),
  constraint outbox_pkey PRIMARY KEY (epoch, xid, seq),
  constraint outbox_type_known CHECK ((type = ANY (ARRAY['voucher.posted'::text, 'invoice.drafted'::text, 'invoice.booked'::text, 'invoice.paid'::text, 'order.received'::text, 'order.rejected'::text, 'e_invoice.received'::text, 'bank.imported'::text, 'payment_file.created'::text, 'payment.matched'::text, 'record.removed'::text, 'documents.changed'::text, 'proposal.created'::text, 'proposal.decided'::text, 'proposal.withdrawn'::text])))
);
CREATE INDEX outbox_occurred_at ON events.outbox USING brin (occurred_at);

create table events.removals (
  id uuid not null default gen_random_uuid(),
  list text not null,
  key text,
  removed_at timestamp with time zone not null default now(),
  constraint removals_pkey PRIMARY KEY (id)
);
CREATE INDEX removals_removed_at ON events.removals USING brin (removed_at);
alter table events.removals enable row level security;
create policy worker_reads on events.removals for select to hb_worker using (true);

create table intake.changed_orders (
  order_id uuid not null,
  key_id uuid not null,
  request_id uuid not null,
  received_at timestamp with time zone not null default now(),
  raw bytea not null,
  fields text[] not null,
  seen_at timestamp with time zone,
  seen_by text,
  constraint changed_orders_differ CHECK (((cardinality(fields) >= 1) AND (cardinality(fields) <= 50))),
  constraint changed_orders_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint changed_orders_order_fkey FOREIGN KEY (order_id) REFERENCES intake.orders(id),
  constraint changed_orders_pkey PRIMARY KEY (order_id),
  constraint changed_orders_seen_is_whole CHECK (((seen_at IS NULL) = (seen_by IS NULL)))
);
CREATE INDEX changed_orders_unseen ON intake.changed_orders USING btree (order_id) WHERE (seen_at IS NULL);
alter table intake.changed_orders enable row level security;
create policy people_read on intake.changed_orders for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table intake.e_invoices (
  id uuid not null,
  sha256 bytea,
  raw bytea,
  size bigint not null,
  key_id uuid not null,
  request_id uuid not null,
  received_at timestamp with time zone not null default now(),
  status text not null default 'received'::text,
  reason text,
  detail jsonb,
  draft_id uuid,
  answer jsonb,
  decided_at timestamp with time zone,
  queued_at timestamp with time zone not null default now(),
  constraint e_invoices_bytes_are_kept CHECK (((raw IS NULL) = ((reason IS NOT NULL) AND (reason = 'payload_too_large'::text)))),
  constraint e_invoices_draft_fkey FOREIGN KEY (draft_id) REFERENCES purchases.invoices(id),
  constraint e_invoices_draft_is_answered CHECK (((status <> 'draft'::text) OR ((draft_id IS NOT NULL) AND (answer IS NOT NULL)))),
  constraint e_invoices_draft_key UNIQUE (draft_id),
  constraint e_invoices_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint e_invoices_pkey PRIMARY KEY (id),
  constraint e_invoices_rejection_has_reason CHECK (((status = 'rejected'::text) = (reason IS NOT NULL))),
  constraint e_invoices_status_known CHECK ((status = ANY (ARRAY['received'::text, 'draft'::text, 'rejected'::text])))
);
CREATE INDEX e_invoices_not_drafted ON intake.e_invoices USING btree (id) WHERE (status <> 'draft'::text);
CREATE INDEX e_invoices_refused_content ON intake.e_invoices USING btree (sha256) WHERE (status = 'rejected'::text);
CREATE INDEX e_invoices_rejected ON intake.e_invoices USING btree (received_at) WHERE (status = 'rejected'::text);
CREATE INDEX e_invoices_waiting ON intake.e_invoices USING btree (received_at) WHERE (status = 'received'::text);
CREATE UNIQUE INDEX e_invoices_content_key ON intake.e_invoices USING btree (sha256) WHERE (status <> 'rejected'::text);
CREATE TRIGGER e_invoices_are_frozen BEFORE DELETE OR UPDATE OF id, sha256, size, key_id, request_id, received_at, status, reason, detail, draft_id, answer, decided_at, queued_at ON intake.e_invoices FOR EACH ROW EXECUTE FUNCTION intake.freeze_e_invoice();
CREATE TRIGGER e_invoices_are_never_emptied BEFORE TRUNCATE ON intake.e_invoices FOR EACH STATEMENT EXECUTE FUNCTION intake.freeze_e_invoice();
CREATE TRIGGER e_invoices_keep_their_bytes BEFORE UPDATE OF raw ON intake.e_invoices FOR EACH STATEMENT EXECUTE FUNCTION intake.refuse_change();
CREATE TRIGGER e_invoices_tell_again AFTER UPDATE OF status ON intake.e_invoices FOR EACH ROW WHEN (((old.status = 'rejected'::text) AND (new.status <> 'rejected'::text))) EXECUTE FUNCTION events.note_e_invoice_again();
CREATE TRIGGER e_invoices_tell_received AFTER INSERT ON intake.e_invoices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION events.note_received_e_invoices();
alter table intake.e_invoices enable row level security;
create policy people_read on intake.e_invoices for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on intake.e_invoices to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on intake.e_invoices to hb_worker using (true);

create table intake.order_attempts (
  id uuid not null,
  order_id uuid not null,
  raw bytea not null,
  sha256 bytea not null,
  received_at timestamp with time zone not null default now(),
  key_id uuid not null,
  request_id uuid not null,
  status text not null default 'received'::text,
  reason text,
  detail jsonb,
  decided_at timestamp with time zone,
  constraint order_attempts_body_key UNIQUE (order_id, sha256),
  constraint order_attempts_hash_is_true CHECK ((sha256 = sha256(raw))),
  constraint order_attempts_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint order_attempts_order_fkey FOREIGN KEY (order_id) REFERENCES intake.orders(id),
  constraint order_attempts_pkey PRIMARY KEY (id),
  constraint order_attempts_rejection_has_reason CHECK (((status = 'rejected'::text) = (reason IS NOT NULL))),
  constraint order_attempts_status_known CHECK ((status = ANY (ARRAY['received'::text, 'draft'::text, 'duplicate'::text, 'rejected'::text])))
);
CREATE INDEX order_attempts_by_hash ON intake.order_attempts USING btree (sha256);
CREATE INDEX order_attempts_duplicate ON intake.order_attempts USING btree (order_id) WHERE (status = 'duplicate'::text);
CREATE INDEX order_attempts_waiting ON intake.order_attempts USING btree (received_at) WHERE (status = 'received'::text);
CREATE TRIGGER order_attempts_are_frozen BEFORE DELETE OR UPDATE ON intake.order_attempts FOR EACH ROW EXECUTE FUNCTION intake.freeze_received();
CREATE TRIGGER order_attempts_are_never_emptied BEFORE TRUNCATE ON intake.order_attempts FOR EACH STATEMENT EXECUTE FUNCTION intake.freeze_received();
CREATE TRIGGER order_attempts_reopen AFTER UPDATE OF status ON intake.order_attempts FOR EACH ROW WHEN (((new.status = 'rejected'::text) AND (old.status <> 'rejected'::text))) EXECUTE FUNCTION intake.reopen_order();
CREATE TRIGGER order_attempts_tell_received AFTER INSERT ON intake.order_attempts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION events.note_received_orders();
CREATE TRIGGER order_attempts_tell_rejected AFTER UPDATE OF status ON intake.order_attempts FOR EACH ROW WHEN (((new.status = 'rejected'::text) AND (old.status <> 'rejected'::text))) EXECUTE FUNCTION events.note_rejected_order();
alter table intake.order_attempts enable row level security;
create policy people_read on intake.order_attempts for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on intake.order_attempts to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on intake.order_attempts to hb_worker using (true);

create table intake.order_decisions (
  id uuid not null,
  order_id uuid not null,
  attempt_id uuid not null,
  decision text not null,
  reason text,
  judgement jsonb,
  decided_at timestamp with time zone not null default now(),
  decided_by text not null,
  request_id uuid not null,
  constraint order_decisions_attempt_fkey FOREIGN KEY (attempt_id) REFERENCES intake.order_attempts(id),
  constraint order_decisions_decision_known CHECK ((decision = ANY (ARRAY['retried'::text, 'dismissed'::text, 'invoiced'::text]))),
  constraint order_decisions_dismissal_has_reason CHECK (((decision = 'dismissed'::text) = (reason IS NOT NULL))),
  constraint order_decisions_order_fkey FOREIGN KEY (order_id) REFERENCES intake.orders(id),
  constraint order_decisions_pkey PRIMARY KEY (id),
  constraint order_decisions_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);
CREATE INDEX order_decisions_by_attempt ON intake.order_decisions USING btree (attempt_id);
CREATE INDEX order_decisions_by_order ON intake.order_decisions USING btree (order_id, decided_at);
CREATE INDEX order_decisions_by_request ON intake.order_decisions USING btree (request_id);
CREATE TRIGGER order_decisions_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON intake.order_decisions FOR EACH STATEMENT EXECUTE FUNCTION intake.refuse_change();
CREATE TRIGGER people_are_named BEFORE INSERT ON intake.order_decisions FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION intake.stamp_decision();
alter table intake.order_decisions enable row level security;
create policy people_read on intake.order_decisions for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on intake.order_decisions to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table intake.order_senders (
  key_id uuid not null,
  order_id uuid not null,
  constraint order_senders_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint order_senders_order_fkey FOREIGN KEY (order_id) REFERENCES intake.orders(id),
  constraint order_senders_pkey PRIMARY KEY (order_id, key_id)
);

create table intake.orders (
  id uuid not null,
  identity text not null,
  external_id text,
  invoice_id uuid,
  customer_id uuid,
  created_at timestamp with time zone not null default now(),
  is_dismissed boolean not null default false,
  kind text not null default 'order'::text,
  refund_key text,
  order_identity text,
  constraint orders_customer_fkey FOREIGN KEY (customer_id) REFERENCES sales.customers(id),
  constraint orders_identity_key UNIQUE (identity),
  constraint orders_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id),
  constraint orders_invoice_key UNIQUE (invoice_id),
  constraint orders_kind_is_of_identity CHECK (((kind = 'refund'::text) = (identity ~~ 'refund%'::text))),
  constraint orders_kind_known CHECK ((kind = ANY (ARRAY['order'::text, 'refund'::text]))),
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_refund_key_length CHECK (((char_length(refund_key) >= 1) AND (char_length(refund_key) <= 255))),
  constraint orders_refund_names_its_order CHECK ((((refund_key IS NULL) = (order_identity IS NULL)) AND ((kind = 'refund'::text) OR (refund_key IS NULL))))
);
CREATE INDEX orders_dismissed ON intake.orders USING btree (id) WHERE (is_dismissed AND (invoice_id IS NULL));
CREATE INDEX orders_open ON intake.orders USING btree (id) INCLUDE (created_at) WHERE ((invoice_id IS NULL) AND (NOT is_dismissed));
CREATE INDEX orders_refunded ON intake.orders USING btree (order_identity) WHERE (order_identity IS NOT NULL);
CREATE INDEX orders_refunds ON intake.orders USING btree (id) WHERE (kind = 'refund'::text);
CREATE INDEX orders_waiting_refunds ON intake.orders USING btree (order_identity) WHERE ((order_identity IS NOT NULL) AND (invoice_id IS NULL));
CREATE UNIQUE INDEX orders_refunded_once ON intake.orders USING btree (refund_key) WHERE ((refund_key IS NOT NULL) AND (invoice_id IS NOT NULL));
CREATE TRIGGER orders_keep_their_invoice BEFORE UPDATE OF invoice_id ON intake.orders FOR EACH ROW WHEN (((old.invoice_id IS NOT NULL) AND (new.invoice_id IS DISTINCT FROM old.invoice_id))) EXECUTE FUNCTION intake.freeze_order();
alter table intake.orders enable row level security;
create policy people_read on intake.orders for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on intake.orders to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on intake.orders to hb_worker using (true);

create table intake.till_reports (
  id uuid not null,
  identity text not null,
  till text,
  till_key text,
  z_number bigint,
  day date,
  raw bytea not null,
  sha256 bytea not null,
  key_id uuid,
  request_id uuid,
  received_at timestamp with time zone not null default now(),
  status text not null default 'received'::text,
  reason text,
  detail jsonb,
  dismissal text,
  asked_at timestamp with time zone not null default now(),
  decided_at timestamp with time zone,
  voucher_id uuid,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  constraint till_reports_booked_is_named CHECK (((status <> ALL (ARRAY['posted'::text, 'empty'::text])) OR ((till IS NOT NULL) AND (till_key IS NOT NULL) AND (z_number IS NOT NULL) AND (day IS NOT NULL)))),
  constraint till_reports_content_key UNIQUE (identity, sha256),
  constraint till_reports_dismissal_length CHECK (((char_length(dismissal) >= 1) AND (char_length(dismissal) <= 500))),
  constraint till_reports_hash CHECK ((sha256 = sha256(raw))),
  constraint till_reports_identity_length CHECK (((char_length(identity) >= 1) AND (char_length(identity) <= 200))),
  constraint till_reports_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint till_reports_pkey PRIMARY KEY (id),
  constraint till_reports_posted_has_voucher CHECK (((status = 'posted'::text) = (voucher_id IS NOT NULL))),
  constraint till_reports_status_known CHECK ((status = ANY (ARRAY['received'::text, 'posted'::text, 'empty'::text, 'stopped'::text, 'dismissed'::text]))),
  constraint till_reports_stopped_has_reason CHECK (((status = ANY (ARRAY['stopped'::text, 'dismissed'::text])) = (reason IS NOT NULL))),
  constraint till_reports_till_length CHECK (((char_length(till) >= 1) AND (char_length(till) <= 100))),
  constraint till_reports_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id),
  constraint till_reports_voucher_key UNIQUE (voucher_id),
  constraint till_reports_z_number_range CHECK (((z_number >= 0) AND (z_number <= '999999999999'::bigint)))
);
CREATE INDEX till_reports_by_change ON intake.till_reports USING btree (updated_at);
CREATE INDEX till_reports_in_sequence ON intake.till_reports USING btree (till_key, z_number) WHERE (z_number IS NOT NULL);
CREATE INDEX till_reports_waiting ON intake.till_reports USING btree (id) WHERE (status = ANY (ARRAY['received'::text, 'stopped'::text]));
CREATE UNIQUE INDEX till_reports_booked_once ON intake.till_reports USING btree (identity) WHERE (status = ANY (ARRAY['posted'::text, 'empty'::text]));
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON intake.till_reports FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER till_reports_are_guarded BEFORE DELETE OR UPDATE ON intake.till_reports FOR EACH ROW EXECUTE FUNCTION intake.guard_till_report();
CREATE TRIGGER till_reports_are_never_emptied BEFORE TRUNCATE ON intake.till_reports FOR EACH STATEMENT EXECUTE FUNCTION intake.guard_till_report();
alter table intake.till_reports enable row level security;
create policy people_read on intake.till_reports for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on intake.till_reports to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on intake.till_reports to hb_worker using (true);

create table intake.trials (
  id uuid not null,
  kind text not null,
  raw bytea not null,
  key_id uuid not null,
  created_at timestamp with time zone not null default now(),
  outcome jsonb,
  constraint trials_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint trials_kind_known CHECK ((kind = ANY (ARRAY['order'::text, 'e_invoice'::text]))),
  constraint trials_pkey PRIMARY KEY (id),
  constraint trials_raw_size CHECK ((octet_length(raw) <= 4194304))
);
CREATE INDEX trials_created_at ON intake.trials USING btree (created_at);

create table ledger.accounts (
  number integer not null,
  name text not null,
  type text not null,
  vat_code text,
  vat_rate integer,
  vat_box text,
  sru text,
  is_active boolean not null default true,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  constraint accounts_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint accounts_number_range CHECK (((number >= 1000) AND (number <= 9999))),
  constraint accounts_pkey PRIMARY KEY (number),
  constraint accounts_type_known CHECK ((type = ANY (ARRAY['asset'::text, 'equity'::text, 'liability'::text, 'revenue'::text, 'cost'::text]))),
  constraint accounts_vat_rate_known CHECK ((vat_rate = ANY (ARRAY[0, 6, 12, 25])))
);
CREATE TRIGGER accounts_are_named BEFORE DELETE ON ledger.accounts FOR EACH ROW EXECUTE FUNCTION ledger.refuse_if_named();
CREATE TRIGGER accounts_in_use BEFORE DELETE OR UPDATE OF number ON ledger.accounts FOR EACH ROW EXECUTE FUNCTION ledger.refuse_if_in_use();
CREATE TRIGGER accounts_keep_type BEFORE UPDATE OF type ON ledger.accounts FOR EACH ROW WHEN ((old.type IS DISTINCT FROM new.type)) EXECUTE FUNCTION ledger.refuse_if_in_use();
CREATE TRIGGER accounts_stay BEFORE TRUNCATE ON ledger.accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON ledger.accounts FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER removals_are_told AFTER DELETE ON ledger.accounts FOR EACH ROW EXECUTE FUNCTION events.note_removed('konton', 'number');
CREATE TRIGGER renumbering_is_told AFTER UPDATE OF number ON ledger.accounts FOR EACH ROW WHEN ((old.number IS DISTINCT FROM new.number)) EXECUTE FUNCTION events.note_removed('konton', 'number');
alter table ledger.accounts enable row level security;
create policy key_reads on ledger.accounts for select to hb_api using (( SELECT api.require_key('data:read'::text) AS require_key));
create policy people_read on ledger.accounts for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.accounts to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on ledger.accounts to hb_worker using (true);

create table ledger.accrual_postings (
  accrual_id uuid not null,
  place integer not null,
  part text not null,
  posting_date date not null,
  result_ore bigint not null,
  voucher_id uuid,
  problem jsonb,
  constraint accrual_postings_accrual_fkey FOREIGN KEY (accrual_id) REFERENCES ledger.accruals(id),
  constraint accrual_postings_amount_not_zero CHECK ((result_ore <> 0)),
  constraint accrual_postings_part_known CHECK ((part = ANY (ARRAY['move'::text, 'share'::text, 'back'::text, 'rest'::text]))),
  constraint accrual_postings_pkey PRIMARY KEY (accrual_id, place),
  constraint accrual_postings_places_begin CHECK ((place > 0)),
  constraint accrual_postings_posted_has_no_problem CHECK (((voucher_id IS NULL) OR (problem IS NULL))),
  constraint accrual_postings_problem_shape CHECK (((jsonb_typeof(problem) = 'object'::text) AND (octet_length((problem)::text) <= 100000))),
  constraint accrual_postings_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id),
  constraint accrual_postings_voucher_key UNIQUE (voucher_id)
);
CREATE INDEX accrual_postings_due ON ledger.accrual_postings USING btree (posting_date) WHERE (voucher_id IS NULL);
CREATE INDEX accrual_postings_stopped ON ledger.accrual_postings USING btree (accrual_id) WHERE (problem IS NOT NULL);
CREATE CONSTRAINT TRIGGER accruals_are_whole AFTER INSERT OR DELETE ON ledger.accrual_postings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger.require_whole_accrual();
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER UPDATE ON ledger.accrual_postings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^accrual\.');
CREATE TRIGGER accrual_postings_are_guarded BEFORE DELETE OR UPDATE ON ledger.accrual_postings FOR EACH ROW EXECUTE FUNCTION ledger.guard_accrual_posting();
alter table ledger.accrual_postings enable row level security;
create policy people_read on ledger.accrual_postings for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.accrual_postings to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.accruals (
  id uuid not null,
  kind text not null,
  description text not null,
  series text not null,
  result_account integer not null,
  balance_account integer not null,
  amount_ore bigint not null,
  first_month date not null,
  months integer not null,
  moved_on date,
  shares_on text not null,
  cost_center_id uuid,
  project_id uuid,
  origin_voucher_id uuid,
  cancelled_at timestamp with time zone,
  cancelled_by text,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint accruals_amount_range CHECK (((amount_ore >= 1) AND (amount_ore <= '999999999999'::bigint))),
  constraint accruals_balance_account_fkey FOREIGN KEY (balance_account) REFERENCES ledger.accounts(number),
  constraint accruals_balance_account_range CHECK (((balance_account >= 1000) AND (balance_account <= 2999))),
  constraint accruals_cancelled CHECK (((cancelled_at IS NULL) = (cancelled_by IS NULL))),
  constraint accruals_cost_center_fkey FOREIGN KEY (cost_center_id) REFERENCES ledger.dimensions(id),
  constraint accruals_description_length CHECK (((char_length(description) >= 1) AND (char_length(description) <= 200))),
  constraint accruals_each_month_has_a_share CHECK ((amount_ore >= months)),
  constraint accruals_first_month_begins CHECK ((date_trunc('month'::text, (first_month)::timestamp with time zone) = first_month)),
  constraint accruals_kind_known CHECK ((kind = ANY (ARRAY['prepaid_cost'::text, 'prepaid_income'::text, 'accrued_cost'::text, 'accrued_income'::text, 'depreciation'::text]))),
  constraint accruals_months_range CHECK (((months >= 1) AND (months <= 600))),
  constraint accruals_of_their_kind CHECK ((((kind = ANY (ARRAY['prepaid_cost'::text, 'accrued_cost'::text, 'depreciation'::text])) AND (result_account >= 4000)) OR ((kind = ANY (ARRAY['prepaid_income'::text, 'accrued_income'::text])) AND ((result_account <= 3999) OR (result_account >= 8000))))),
  constraint accruals_on_their_accounts CHECK ((((kind = 'depreciation'::text) AND ((result_account >= 7700) AND (result_account <= 7899)) AND ((balance_account >= 1000) AND (balance_account <= 1299))) OR ((kind = ANY (ARRAY['prepaid_cost'::text, 'accrued_income'::text])) AND ((balance_account >= 1300) AND (balance_account <= 1899)) AND (balance_account <> 1510)) OR ((kind = ANY (ARRAY['accrued_cost'::text, 'prepaid_income'::text])) AND (balance_account <> 2440) AND (((balance_account >= 2100) AND (balance_account <= 2599)) OR ((balance_account >= 2700) AND (balance_account <= 2999)))))),
  constraint accruals_origin_voucher_fkey FOREIGN KEY (origin_voucher_id) REFERENCES ledger.vouchers(id) ON DELETE SET NULL,
  constraint accruals_pkey PRIMARY KEY (id),
  constraint accruals_prepaid_is_moved CHECK (((moved_on IS NOT NULL) = (kind = ANY (ARRAY['prepaid_cost'::text, 'prepaid_income'::text])))),
  constraint accruals_project_fkey FOREIGN KEY (project_id) REFERENCES ledger.dimensions(id),
  constraint accruals_result_account_fkey FOREIGN KEY (result_account) REFERENCES ledger.accounts(number),
  constraint accruals_result_account_range CHECK (((result_account >= 3000) AND (result_account <= 8998))),
  constraint accruals_shares_on_known CHECK (((shares_on = 'last'::text) OR ((shares_on = 'first'::text) AND (moved_on IS NOT NULL))))
);
CREATE INDEX accruals_by_origin ON ledger.accruals USING btree (origin_voucher_id) WHERE (origin_voucher_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER accruals_are_whole AFTER INSERT OR UPDATE ON ledger.accruals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger.require_whole_accrual();
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR UPDATE ON ledger.accruals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^accrual\.');
CREATE TRIGGER accruals_are_guarded BEFORE DELETE OR UPDATE ON ledger.accruals FOR EACH ROW EXECUTE FUNCTION ledger.guard_accrual();
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.accruals FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.accruals enable row level security;
create policy people_read on ledger.accruals for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.accruals to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.attachments (
  id uuid not null,
  voucher_id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  media_type text not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint attachments_content_fkey FOREIGN KEY (sha256) REFERENCES archive.contents(sha256),
  constraint attachments_content_key UNIQUE (voucher_id, sha256),
  constraint attachments_file_name_is_plain CHECK ((file_name !~ '[/\\[:cntrl:]]'::text)),
  constraint attachments_file_name_length CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint attachments_media_type_known CHECK ((media_type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text, 'image/heic'::text, 'text/csv'::text, 'text/plain'::text, 'application/xml'::text]))),
  constraint attachments_pkey PRIMARY KEY (id),
  constraint attachments_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX attachments_by_content ON ledger.attachments USING btree (sha256);
CREATE TRIGGER attachments_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.attachments FOR EACH STATEMENT EXECUTE FUNCTION archive.refuse_change();
CREATE TRIGGER attachments_count AFTER INSERT ON ledger.attachments FOR EACH ROW EXECUTE FUNCTION ledger.count_attached();
CREATE TRIGGER attachments_file_documents AFTER INSERT ON ledger.attachments FOR EACH ROW EXECUTE FUNCTION ledger.file_document();
CREATE TRIGGER documents_are_told AFTER INSERT ON ledger.attachments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION events.note_documents();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON ledger.attachments FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.attachments enable row level security;
create policy people_read on ledger.attachments for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.attachments to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on ledger.attachments to hb_worker using (true);

create table ledger.begun_imports (
  id uuid not null,
  sha256 bytea not null,
  difference_account integer,
  is_accepted boolean not null,
  posted_bytes bigint not null default 0,
  failed_at timestamp with time zone,
  refusal jsonb,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint begun_imports_file_fkey FOREIGN KEY (sha256) REFERENCES ledger.sie_files(sha256),
  constraint begun_imports_pkey PRIMARY KEY (id),
  constraint begun_imports_refused_when_failed CHECK (((refusal IS NULL) OR (failed_at IS NOT NULL)))
);
CREATE INDEX begun_imports_by_file ON ledger.begun_imports USING btree (sha256);
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.begun_imports FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.begun_imports enable row level security;
create policy people_read on ledger.begun_imports for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.begun_imports to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on ledger.begun_imports to hb_worker using (true);

create table ledger.corrections (
  corrected_id uuid not null,
  reversal_id uuid not null,
  replacement_id uuid,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint corrections_are_different_vouchers CHECK (((corrected_id <> reversal_id) AND ((replacement_id <> corrected_id) AND (replacement_id <> reversal_id)))),
  constraint corrections_corrected_fkey FOREIGN KEY (corrected_id) REFERENCES ledger.vouchers(id),
  constraint corrections_pkey PRIMARY KEY (corrected_id),
  constraint corrections_replacement_fkey FOREIGN KEY (replacement_id) REFERENCES ledger.vouchers(id),
  constraint corrections_replacement_key UNIQUE (replacement_id),
  constraint corrections_reversal_fkey FOREIGN KEY (reversal_id) REFERENCES ledger.vouchers(id),
  constraint corrections_reversal_key UNIQUE (reversal_id)
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT ON ledger.corrections DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^voucher\.');
CREATE TRIGGER corrections_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.corrections FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER corrections_take_back AFTER INSERT ON ledger.corrections FOR EACH ROW EXECUTE FUNCTION ledger.check_reversal();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON ledger.corrections FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER settlements_are_followed AFTER INSERT ON ledger.corrections FOR EACH ROW EXECUTE FUNCTION bank.follow_corrections();
CREATE TRIGGER tax_payouts_are_followed AFTER INSERT ON ledger.corrections FOR EACH ROW EXECUTE FUNCTION purchases.follow_corrections();
CREATE TRIGGER till_reports_are_followed AFTER INSERT ON ledger.corrections FOR EACH ROW EXECUTE FUNCTION intake.follow_till_corrections();
alter table ledger.corrections enable row level security;
create policy people_read on ledger.corrections for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.corrections to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy worker_reads on ledger.corrections for select to hb_worker using (true);

create table ledger.day_revenues (
  series_id uuid not null,
  day date not null,
  revenue_ore bigint not null,
  part integer not null default 0,
  constraint day_revenues_pkey PRIMARY KEY (series_id, part, day)
) with (fillfactor=50);
CREATE INDEX day_revenues_by_day ON ledger.day_revenues USING btree (day);
alter table ledger.day_revenues enable row level security;
create policy people_read on ledger.day_revenues for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on ledger.day_revenues to hb_worker using (true);

create table ledger.dimensions (
  id uuid not null,
  kind text not null,
  code text not null,
  name text not null,
  is_active boolean not null default true,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  external_id text,
  constraint dimensions_code_key UNIQUE (kind, code),
  constraint dimensions_code_length CHECK (((char_length(code) >= 1) AND (char_length(code) <= 20))),
  constraint dimensions_external_id_key UNIQUE (external_id),
  constraint dimensions_external_id_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
  constraint dimensions_kind_known CHECK ((kind = ANY (ARRAY['cost_center'::text, 'project'::text]))),
  constraint dimensions_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint dimensions_pkey PRIMARY KEY (id)
);
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON ledger.dimensions FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER dimensions_in_use BEFORE DELETE OR UPDATE OF id, kind ON ledger.dimensions FOR EACH ROW EXECUTE FUNCTION ledger.refuse_if_in_use();
CREATE TRIGGER dimensions_stay BEFORE TRUNCATE ON ledger.dimensions FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER removals_are_told AFTER DELETE ON ledger.dimensions FOR EACH ROW EXECUTE FUNCTION events.note_removed('dimensioner', 'id');
alter table ledger.dimensions enable row level security;
create policy key_reads on ledger.dimensions for select to hb_api using (( SELECT api.require_key('data:read'::text) AS require_key));
create policy people_read on ledger.dimensions for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.dimensions to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on ledger.dimensions to hb_worker using (true);

create table ledger.documented_vouchers (
  series_id uuid not null,
  month date not null,
  own bigint not null default 0,
  attached bigint not null default 0,
  constraint documented_vouchers_pkey PRIMARY KEY (series_id, month),
  constraint documented_vouchers_series_fkey FOREIGN KEY (series_id) REFERENCES ledger.series(id)
);
alter table ledger.documented_vouchers enable row level security;
create policy people_read on ledger.documented_vouchers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on ledger.documented_vouchers to hb_worker using (true);

create table ledger.documents (
  id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  media_type text not null,
  document_date date,
  amount_ore bigint,
  counterparty text,
  set_aside text,
  filed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint documents_amount_range CHECK (((amount_ore >= 1) AND (amount_ore <= '999999999999'::bigint))),
  constraint documents_content_fkey FOREIGN KEY (sha256) REFERENCES archive.contents(sha256),
  constraint documents_content_key UNIQUE (sha256),
  constraint documents_counterparty_length CHECK (((char_length(counterparty) >= 1) AND (char_length(counterparty) <= 200))),
  constraint documents_file_name_is_plain CHECK ((file_name !~ '[/\\[:cntrl:]]'::text)),
  constraint documents_file_name_length CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint documents_media_type_known CHECK ((media_type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text, 'image/heic'::text, 'text/csv'::text, 'text/plain'::text, 'application/xml'::text]))),
  constraint documents_pkey PRIMARY KEY (id),
  constraint documents_set_aside_length CHECK (((char_length(set_aside) >= 1) AND (char_length(set_aside) <= 500)))
);
CREATE INDEX documents_by_amount ON ledger.documents USING btree (amount_ore) WHERE ((filed_at IS NULL) AND (set_aside IS NULL));
CREATE INDEX documents_filed ON ledger.documents USING btree (id) WHERE (filed_at IS NOT NULL);
CREATE INDEX documents_set_aside ON ledger.documents USING btree (id) WHERE ((filed_at IS NULL) AND (set_aside IS NOT NULL));
CREATE INDEX documents_waiting ON ledger.documents USING btree (id) WHERE ((filed_at IS NULL) AND (set_aside IS NULL));
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR UPDATE ON ledger.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^document\.');
CREATE TRIGGER documents_know_their_place BEFORE INSERT ON ledger.documents FOR EACH ROW EXECUTE FUNCTION ledger.place_document();
CREATE TRIGGER documents_stay BEFORE DELETE OR TRUNCATE ON ledger.documents FOR EACH STATEMENT EXECUTE FUNCTION archive.refuse_change();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON ledger.documents FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.documents enable row level security;
create policy people_read on ledger.documents for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.documents to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.external_ids (
  voucher_id uuid not null,
  external_id text not null,
  constraint external_ids_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
  constraint external_ids_pkey PRIMARY KEY (voucher_id),
  constraint external_ids_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX external_ids_by_text ON ledger.external_ids USING btree (external_id);
CREATE TRIGGER external_ids_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.external_ids FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.external_ids enable row level security;
create policy key_reads on ledger.external_ids for select to hb_api using (( SELECT api.require_key('data:read'::text) AS require_key));
create policy people_read on ledger.external_ids for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table ledger.fiscal_years (
  id uuid not null,
  year integer not null,
  start_date date not null,
  end_date date not null,
  status text not null default 'open'::text,
  closed_at timestamp with time zone,
  closed_on date,
  constraint fiscal_years_closed_when_ended CHECK ((((status = 'closed'::text) = (closed_on IS NOT NULL)) AND ((closed_on IS NULL) OR (closed_on > end_date)))),
  constraint fiscal_years_do_not_overlap EXCLUDE USING gist (daterange(start_date, end_date, '[]'::text) WITH &&),
  constraint fiscal_years_pkey PRIMARY KEY (id),
  constraint fiscal_years_status_known CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint fiscal_years_whole_months CHECK (((EXTRACT(day FROM start_date) = (1)::numeric) AND (EXTRACT(day FROM (end_date + 1)) = (1)::numeric) AND (end_date > start_date) AND (end_date < (start_date + '1 year 6 mons'::interval)))),
  constraint fiscal_years_year_key UNIQUE (year)
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE ON ledger.fiscal_years DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^fiscal_year\.');
CREATE TRIGGER fiscal_years_are_guarded BEFORE UPDATE ON ledger.fiscal_years FOR EACH ROW EXECUTE FUNCTION ledger.guard_fiscal_year();
CREATE TRIGGER fiscal_years_begin_after_closed AFTER INSERT ON ledger.fiscal_years FOR EACH ROW EXECUTE FUNCTION ledger.refuse_year_under_closed();
CREATE TRIGGER fiscal_years_reopen_backwards AFTER UPDATE ON ledger.fiscal_years REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_reopening_under_closed();
CREATE TRIGGER fiscal_years_wait_for_postings BEFORE UPDATE OF status ON ledger.fiscal_years FOR EACH STATEMENT EXECUTE FUNCTION ledger.wait_for_postings();
CREATE TRIGGER removals_are_told AFTER DELETE ON ledger.fiscal_years FOR EACH ROW EXECUTE FUNCTION events.note_removed('rakenskapsar', 'id');
alter table ledger.fiscal_years enable row level security;
create policy key_reads on ledger.fiscal_years for select to hb_api using (( SELECT api.require_key() AS require_key));
create policy people_read on ledger.fiscal_years for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.fiscal_years to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy worker_reads on ledger.fiscal_years for select to hb_worker using (true);

create table ledger.held_documents (
  voucher_id uuid not null,
  constraint held_documents_pkey PRIMARY KEY (voucher_id),
  constraint held_documents_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
alter table ledger.held_documents enable row level security;
create policy people_read on ledger.held_documents for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy worker_reads on ledger.held_documents for select to hb_worker using (true);

create table ledger.imported_vouchers (
  voucher_id uuid not null,
  import_id uuid not null,
  series text not null,
  number text not null,
  line integer,
  registered_on date,
  signature text,
  constraint imported_vouchers_import_fkey FOREIGN KEY (import_id) REFERENCES ledger.imports(id),
  constraint imported_vouchers_number_length CHECK ((char_length(number) <= 100)),
  constraint imported_vouchers_pkey PRIMARY KEY (voucher_id),
  constraint imported_vouchers_series_length CHECK ((char_length(series) <= 100)),
  constraint imported_vouchers_signature_length CHECK ((char_length(signature) <= 100)),
  constraint imported_vouchers_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX imported_vouchers_by_import ON ledger.imported_vouchers USING btree (import_id);
CREATE INDEX imported_vouchers_by_label ON ledger.imported_vouchers USING btree (lower((series || number)));
CREATE TRIGGER imported_vouchers_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.imported_vouchers FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER imported_vouchers_are_their_imports AFTER INSERT ON ledger.imported_vouchers REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN ((SESSION_USER = 'hb_app'::name)) EXECUTE FUNCTION ledger.judge_imported();
alter table ledger.imported_vouchers enable row level security;
create policy people_read on ledger.imported_vouchers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.imported_vouchers to hb_app using (( SELECT app.may('administer'::text) AS may));

create table ledger.imports (
  id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  report jsonb not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  undone_at timestamp with time zone,
  emptied_at timestamp with time zone,
  constraint imports_emptied_are_undone CHECK (((emptied_at IS NULL) OR (undone_at IS NOT NULL))),
  constraint imports_file_fkey FOREIGN KEY (sha256) REFERENCES ledger.sie_files(sha256),
  constraint imports_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX imports_once ON ledger.imports USING btree (sha256) WHERE (undone_at IS NULL);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR UPDATE ON ledger.imports DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^sie\.');
CREATE TRIGGER imports_are_undone_once BEFORE UPDATE OF undone_at ON ledger.imports FOR EACH ROW WHEN ((SESSION_USER = 'hb_app'::name)) EXECUTE FUNCTION ledger.stamp_undone();
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.imports FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.imports enable row level security;
create policy people_read on ledger.imports for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.imports to hb_app using (( SELECT app.may('administer'::text) AS may));

create table ledger.locks (
  singleton boolean not null default true,
  period_locked_to date,
  vat_locked_to date,
  vat_lock_said_to date,
  constraint locks_is_single CHECK (singleton),
  constraint locks_pkey PRIMARY KEY (singleton)
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER UPDATE ON ledger.locks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^lock\.');
CREATE TRIGGER locks_keep_what_is_said BEFORE UPDATE OF vat_locked_to ON ledger.locks FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION ledger.mark_said_vat_lock();
CREATE TRIGGER locks_wait_for_postings BEFORE UPDATE ON ledger.locks FOR EACH STATEMENT EXECUTE FUNCTION ledger.wait_for_postings();
alter table ledger.locks enable row level security;
create policy key_reads on ledger.locks for select to hb_api using (( SELECT api.require_key() AS require_key));
create policy people_read on ledger.locks for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.locks to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy worker_reads on ledger.locks for select to hb_worker using (true);

create table ledger.month_balances (
  series_id uuid not null,
  account integer not null,
  month date not null,
  debit_ore bigint not null,
  credit_ore bigint not null,
  vat_code text not null default ''::text,
  is_beside_vat boolean not null default false,
  part integer not null default 0,
  constraint month_balances_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint month_balances_first_of_month CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint month_balances_pkey PRIMARY KEY (series_id, part, account, month, vat_code, is_beside_vat)
) with (fillfactor=50);
CREATE INDEX month_balances_by_account ON ledger.month_balances USING btree (account);
alter table ledger.month_balances enable row level security;
create policy key_reads on ledger.month_balances for select to hb_api using (( SELECT api.require_key('data:read'::text) AS require_key));
create policy people_read on ledger.month_balances for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on ledger.month_balances to hb_worker using (true);

create table ledger.month_ends (
  month date not null,
  acknowledged_at timestamp with time zone not null default now(),
  acknowledged_by text not null,
  constraint month_ends_first_of_month CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint month_ends_pkey PRIMARY KEY (month)
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE ON ledger.month_ends DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^month\.');
CREATE TRIGGER month_ends_in_turn AFTER INSERT OR DELETE ON ledger.month_ends FOR EACH ROW EXECUTE FUNCTION ledger.guard_month_end();
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.month_ends FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION ledger.stamp_acknowledgement();
alter table ledger.month_ends enable row level security;
create policy people_read on ledger.month_ends for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.month_ends to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on ledger.month_ends to hb_worker using (true);

create table ledger.month_totals (
  series_id uuid not null,
  month date not null,
  revenue_ore bigint not null,
  costs_ore bigint not null,
  goods_ore bigint not null,
  part integer not null default 0,
  constraint month_totals_pkey PRIMARY KEY (series_id, part, month)
) with (fillfactor=50);
alter table ledger.month_totals enable row level security;
create policy people_read on ledger.month_totals for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on ledger.month_totals to hb_worker using (true);

create table ledger.paired_rows (
  pairing_id uuid not null,
  voucher_id uuid not null,
  row_no integer not null,
  amount_ore bigint not null,
  constraint paired_rows_amount_not_zero CHECK ((amount_ore <> 0)),
  constraint paired_rows_pairing_fkey FOREIGN KEY (pairing_id) REFERENCES ledger.pairings(id) ON DELETE CASCADE,
  constraint paired_rows_pkey PRIMARY KEY (pairing_id, voucher_id, row_no)
);
CREATE INDEX paired_rows_by_row ON ledger.paired_rows USING btree (voucher_id, row_no);
CREATE TRIGGER pairings_are_judged AFTER INSERT ON ledger.paired_rows REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.judge_pairings();
alter table ledger.paired_rows enable row level security;
create policy people_read on ledger.paired_rows for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.paired_rows to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.pairings (
  id uuid not null,
  account integer not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint pairings_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint pairings_pkey PRIMARY KEY (id)
);
CREATE INDEX pairings_by_account ON ledger.pairings USING btree (account, created_at);
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.pairings FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.pairings enable row level security;
create policy people_read on ledger.pairings for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.pairings to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.series (
  id uuid not null,
  fiscal_year_id uuid not null,
  code text not null,
  name text not null,
  last_number integer not null default 0,
  last_hash bytea not null,
  constraint series_code_key UNIQUE (fiscal_year_id, code),
  constraint series_code_length CHECK (((char_length(code) >= 1) AND (char_length(code) <= 2))),
  constraint series_fiscal_year_fkey FOREIGN KEY (fiscal_year_id) REFERENCES ledger.fiscal_years(id),
  constraint series_pkey PRIMARY KEY (id)
) with (fillfactor=50);
CREATE TRIGGER removals_are_told AFTER DELETE ON ledger.series FOR EACH ROW EXECUTE FUNCTION events.note_removed('serier', 'id');
CREATE TRIGGER series_begin BEFORE INSERT ON ledger.series FOR EACH ROW WHEN ((new.last_hash IS NULL)) EXECUTE FUNCTION ledger.begin_series();
CREATE TRIGGER series_in_use BEFORE DELETE OR UPDATE OF id, code, fiscal_year_id ON ledger.series FOR EACH ROW EXECUTE FUNCTION ledger.refuse_if_in_use();
CREATE TRIGGER series_stay BEFORE TRUNCATE ON ledger.series FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
alter table ledger.series enable row level security;
create policy key_reads on ledger.series for select to hb_api using (( SELECT api.require_key('data:read'::text) AS require_key));
create policy people_read on ledger.series for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.series to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy worker_reads on ledger.series for select to hb_worker using (true);

create table ledger.settlement_judgements (
  voucher_id uuid not null,
  period_end date,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint settlement_judgements_pkey PRIMARY KEY (voucher_id),
  constraint settlement_judgements_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX settlement_judgements_by_period ON ledger.settlement_judgements USING btree (period_end) WHERE (period_end IS NOT NULL);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE ON ledger.settlement_judgements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^vat\.');
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.settlement_judgements FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER settlement_judgements_are_judged BEFORE INSERT OR UPDATE ON ledger.settlement_judgements FOR EACH ROW EXECUTE FUNCTION ledger.judge_settlement_judgement();
alter table ledger.settlement_judgements enable row level security;
create policy people_read on ledger.settlement_judgements for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.settlement_judgements to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.sie_files (
  sha256 bytea not null,
  file_name text not null,
  size bigint not null,
  gzip bytea not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint sie_files_name_length CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint sie_files_pkey PRIMARY KEY (sha256),
  constraint sie_files_size CHECK ((octet_length(gzip) <= 104857600))
);
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.sie_files FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.sie_files enable row level security;
create policy people_read on ledger.sie_files for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.sie_files to hb_app using (( SELECT app.may('administer'::text) AS may));

create table ledger.supplier_costs (
  counterparty text not null,
  id uuid not null default gen_random_uuid(),
  cost_ore bigint not null,
  constraint supplier_costs_pkey PRIMARY KEY (counterparty, id)
) with (fillfactor=50);
alter table ledger.supplier_costs enable row level security;
create policy people_read on ledger.supplier_costs for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on ledger.supplier_costs to hb_worker using (true);

create table ledger.vat_assignments (
  voucher_id uuid not null,
  period_end date not null,
  return_number integer,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint vat_assignments_pkey PRIMARY KEY (voucher_id),
  constraint vat_assignments_return_fkey FOREIGN KEY (period_end, return_number) REFERENCES ledger.vat_returns(period_end, number),
  constraint vat_assignments_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX vat_assignments_by_period ON ledger.vat_assignments USING btree (period_end);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE ON ledger.vat_assignments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^vat\.');
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.vat_assignments FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER vat_assignments_are_judged BEFORE INSERT OR DELETE ON ledger.vat_assignments FOR EACH ROW EXECUTE FUNCTION ledger.judge_vat_assignment();
alter table ledger.vat_assignments enable row level security;
create policy people_read on ledger.vat_assignments for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.vat_assignments to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.vat_filings (
  period_start date not null,
  period_end date not null,
  filed_at timestamp with time zone not null default now(),
  filed_by text not null,
  filed_on date not null,
  constraint vat_filings_has_ended CHECK ((period_end < filed_on)),
  constraint vat_filings_period CHECK ((period_start < period_end)),
  constraint vat_filings_pkey PRIMARY KEY (period_end)
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE ON ledger.vat_filings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^vat\.');
CREATE TRIGGER people_are_named BEFORE INSERT ON ledger.vat_filings FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION ledger.stamp_filing();
CREATE TRIGGER vat_filings_lock AFTER INSERT ON ledger.vat_filings FOR EACH ROW EXECUTE FUNCTION ledger.lock_filed_vat();
CREATE TRIGGER vat_filings_take_their_returns AFTER DELETE ON ledger.vat_filings FOR EACH ROW EXECUTE FUNCTION ledger.withdraw_vat_returns();
alter table ledger.vat_filings enable row level security;
create policy people_read on ledger.vat_filings for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.vat_filings to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on ledger.vat_filings to hb_worker using (true);

create table ledger.vat_returns (
  period_end date not null,
  number integer not null,
  period_start date not null,
  filed_on date not null,
  way text not null,
  reference text,
  note text,
  organization_number text not null,
  parts jsonb not null,
  filed_at timestamp with time zone not null,
  filed_by text not null,
  withdrawn_at timestamp with time zone,
  withdrawn_by text,
  constraint vat_returns_filed_within_ten_years CHECK ((filed_on < (period_end + 3653))),
  constraint vat_returns_has_ended CHECK ((period_end < filed_on)),
  constraint vat_returns_note_length CHECK (((char_length(note) >= 1) AND (char_length(note) <= 300))),
  constraint vat_returns_other_has_reference CHECK (((way = 'other'::text) = (reference IS NOT NULL))),
  constraint vat_returns_parts_are_a_list CHECK ((jsonb_typeof(parts) = 'array'::text)),
  constraint vat_returns_period CHECK ((period_start < period_end)),
  constraint vat_returns_pkey PRIMARY KEY (period_end, number),
  constraint vat_returns_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 100))),
  constraint vat_returns_way_known CHECK ((way = ANY (ARRAY['file'::text, 'other'::text]))),
  constraint vat_returns_withdrawn CHECK (((withdrawn_at IS NULL) = (withdrawn_by IS NULL)))
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR UPDATE ON ledger.vat_returns DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^vat\.');
CREATE CONSTRAINT TRIGGER filings_have_a_return AFTER UPDATE ON ledger.vat_returns DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger.require_standing_return();
CREATE TRIGGER vat_returns_are_frozen BEFORE INSERT ON ledger.vat_returns FOR EACH ROW EXECUTE FUNCTION ledger.freeze_vat_return();
CREATE TRIGGER vat_returns_are_never_emptied BEFORE TRUNCATE ON ledger.vat_returns FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER vat_returns_stay BEFORE DELETE OR UPDATE ON ledger.vat_returns FOR EACH ROW EXECUTE FUNCTION ledger.guard_vat_return();
CREATE TRIGGER vat_returns_take_what_mends AFTER INSERT ON ledger.vat_returns FOR EACH ROW EXECUTE FUNCTION ledger.mark_vat_assignments();
alter table ledger.vat_returns enable row level security;
create policy people_read on ledger.vat_returns for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.vat_returns to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.vat_settlements (
  voucher_id uuid not null,
  period_end date not null,
  constraint vat_settlements_pkey PRIMARY KEY (voucher_id),
  constraint vat_settlements_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX vat_settlements_by_period ON ledger.vat_settlements USING btree (period_end);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT ON ledger.vat_settlements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^vat\.');
CREATE TRIGGER vat_settlements_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.vat_settlements FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER vat_settlements_settle AFTER INSERT ON ledger.vat_settlements FOR EACH ROW EXECUTE FUNCTION ledger.judge_vat_settlement();
alter table ledger.vat_settlements enable row level security;
create policy people_read on ledger.vat_settlements for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.vat_settlements to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy worker_reads on ledger.vat_settlements for select to hb_worker using (true);

create table ledger.voucher_rows (
  voucher_id uuid not null,
  row_no integer not null,
  account integer not null,
  debit_ore bigint not null,
  credit_ore bigint not null,
  note text,
  cost_center_id uuid,
  project_id uuid,
  verification_date date not null,
  series text not null,
  number integer not null,
  vat_code text,
  constraint voucher_rows_note_length CHECK ((char_length(note) <= 500)),
  constraint voucher_rows_one_side CHECK ((((debit_ore = 0) <> (credit_ore = 0)) AND ((debit_ore >= 0) AND (debit_ore <= '999999999999'::bigint)) AND ((credit_ore >= 0) AND (credit_ore <= '999999999999'::bigint)))),
  constraint voucher_rows_pkey PRIMARY KEY (voucher_id, row_no),
  constraint voucher_rows_vat_code_length CHECK (((char_length(vat_code) >= 1) AND (char_length(vat_code) <= 20)))
);
CREATE INDEX voucher_rows_by_account ON ledger.voucher_rows USING btree (account, verification_date, series, number) WITH (deduplicate_items=off);
CREATE INDEX voucher_rows_by_cost_center ON ledger.voucher_rows USING btree (cost_center_id, verification_date) WHERE (cost_center_id IS NOT NULL);
CREATE INDEX voucher_rows_by_project ON ledger.voucher_rows USING btree (project_id, verification_date) WHERE (project_id IS NOT NULL);
CREATE TRIGGER tax_payments_are_followed AFTER INSERT ON ledger.voucher_rows REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION purchases.follow_tax_vouchers();
CREATE TRIGGER voucher_rows_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.voucher_rows FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER voucher_rows_are_whole AFTER INSERT ON ledger.voucher_rows REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.check_new_rows();
alter table ledger.voucher_rows enable row level security;
create policy key_reads on ledger.voucher_rows for select to hb_api using (( SELECT api.require_key('data:read'::text) AS require_key));
create policy people_read on ledger.voucher_rows for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy worker_reads on ledger.voucher_rows for select to hb_worker using (true);

create table ledger.voucher_templates (
  id uuid not null,
  name text not null,
  series text not null,
  description text not null,
  counterparty text,
  rows jsonb not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint voucher_templates_counterparty_length CHECK ((char_length(counterparty) <= 200)),
  constraint voucher_templates_description_length CHECK ((char_length(description) <= 500)),
  constraint voucher_templates_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint voucher_templates_pkey PRIMARY KEY (id),
  constraint voucher_templates_rows_are_a_list CHECK ((jsonb_typeof(rows) = 'array'::text)),
  constraint voucher_templates_series_length CHECK (((char_length(series) >= 1) AND (char_length(series) <= 2)))
);
CREATE UNIQUE INDEX voucher_templates_name_key ON ledger.voucher_templates USING btree (lower(name));
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON ledger.voucher_templates FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.voucher_templates enable row level security;
create policy people_read on ledger.voucher_templates for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.voucher_templates to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table ledger.vouchers (
  id uuid not null,
  series_id uuid not null,
  series text not null,
  number integer not null,
  verification_date date not null,
  description text not null,
  counterparty text,
  source text not null,
  row_count integer not null,
  total_ore bigint not null,
  posted_at timestamp with time zone not null,
  posted_by text not null,
  request_id uuid,
  hash bytea not null,
  format integer not null,
  content_hash bytea not null,
  constraint vouchers_counterparty_length CHECK ((char_length(counterparty) <= 200)),
  constraint vouchers_description_length CHECK ((char_length(description) <= 500)),
  constraint vouchers_format_known CHECK ((format = 1)),
  constraint vouchers_number_key UNIQUE (series_id, number),
  constraint vouchers_number_positive CHECK ((number > 0)),
  constraint vouchers_pkey PRIMARY KEY (id),
  constraint vouchers_row_count_minimum CHECK ((row_count >= 2)),
  constraint vouchers_source_form CHECK ((source ~ '^[a-z][a-z0-9_]{0,39}$'::text)),
  constraint vouchers_total_range CHECK (((total_ore >= 1) AND (total_ore <= '999999999999'::bigint)))
);
CREATE INDEX vouchers_beside_vat ON ledger.vouchers USING btree (verification_date) WHERE (source = ANY (ARRAY['vat'::text, 'opening'::text]));
CREATE INDEX vouchers_by_date ON ledger.vouchers USING btree (verification_date, series, number) WITH (deduplicate_items=off);
CREATE CONSTRAINT TRIGGER imports_have_their_vouchers AFTER INSERT ON ledger.vouchers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.source = 'import'::text)) EXECUTE FUNCTION ledger.require_import();
CREATE CONSTRAINT TRIGGER purchases_by_hand_have_their_invoice AFTER INSERT ON ledger.vouchers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.source = 'purchase_by_hand'::text)) EXECUTE FUNCTION purchases.require_invoice();
CREATE CONSTRAINT TRIGGER supplier_vouchers_have_their_invoice AFTER INSERT ON ledger.vouchers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.source = 'supplier_invoice'::text)) EXECUTE FUNCTION purchases.require_invoice();
CREATE CONSTRAINT TRIGGER vat_vouchers_have_their_period AFTER INSERT ON ledger.vouchers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.source = 'vat'::text)) EXECUTE FUNCTION ledger.require_vat_period();
CREATE CONSTRAINT TRIGGER vouchers_are_what_they_say AFTER INSERT ON ledger.vouchers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.source = ANY (ARRAY['opening'::text, 'closing'::text, 'reversal'::text, 'reminder'::text, 'payment'::text, 'bank'::text, 'supplier_payment'::text, 'accrual_posting'::text]))) EXECUTE FUNCTION ledger.require_origin();
CREATE TRIGGER people_keep_books BEFORE INSERT ON ledger.vouchers FOR EACH STATEMENT WHEN ((SESSION_USER = 'hb_app'::name)) EXECUTE FUNCTION app.require_right('keep_books');
CREATE TRIGGER vouchers_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.vouchers FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER vouchers_are_whole AFTER INSERT ON ledger.vouchers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger.check_new_vouchers();
alter table ledger.vouchers enable row level security;
create policy key_reads on ledger.vouchers for select to hb_api using (( SELECT api.require_key('data:read'::text) AS require_key));
create policy people_read on ledger.vouchers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy worker_reads on ledger.vouchers for select to hb_worker using (true);

create table ledger.withheld_vouchers (
  voucher_id uuid not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint withheld_vouchers_pkey PRIMARY KEY (voucher_id),
  constraint withheld_vouchers_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE ON ledger.withheld_vouchers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^voucher\.documents_');
CREATE TRIGGER documents_are_told AFTER INSERT ON ledger.withheld_vouchers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION events.note_documents();
CREATE TRIGGER documents_are_told_again AFTER DELETE ON ledger.withheld_vouchers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION events.note_documents();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON ledger.withheld_vouchers FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table ledger.withheld_vouchers enable row level security;
create policy people_read on ledger.withheld_vouchers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on ledger.withheld_vouchers to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table migration.applied (
  id integer not null default nextval('migration.applied_id_seq'::regclass),
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  constraint applied_pkey PRIMARY KEY (id)
);

create table migration.functions (
  name text not null,
  sha256 text not null,
  constraint functions_pkey PRIMARY KEY (name)
);

create table migration.hashes (
  name text not null,
  sha256 text not null,
  constraint hashes_pkey PRIMARY KEY (name)
);

create table migration.installation (
  singleton boolean not null default true,
  role_prefix text not null,
  constraint installation_is_single CHECK (singleton),
  constraint installation_pkey PRIMARY KEY (singleton)
);

create table migration.rights (
  singleton boolean not null default true,
  text_sha256 text not null,
  given text not null,
  constraint rights_is_single CHECK (singleton),
  constraint rights_pkey PRIMARY KEY (singleton)
);

create table proposals.proposals (
  id uuid not null,
  kind text not null,
  payload jsonb not null,
  prose text,
  key_id uuid not null,
  caller_id uuid not null,
  idempotency_key text not null,
  request_hash bytea not null,
  request_id uuid not null,
  grounds jsonb not null,
  grounds_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  status text not null default 'open'::text,
  decided_at timestamp with time zone,
  decided_by text,
  reason text,
  result_kind text,
  result_id uuid,
  constraint proposals_approved_has_result CHECK ((((status = 'approved'::text) = (result_id IS NOT NULL)) AND ((result_kind IS NULL) = (result_id IS NULL)))),
  constraint proposals_caller_fkey FOREIGN KEY (caller_id) REFERENCES restricted.api_keys(id),
  constraint proposals_decision_is_whole CHECK ((((status = 'open'::text) = (decided_at IS NULL)) AND ((status = 'open'::text) = (decided_by IS NULL)))),
  constraint proposals_idempotency_key_length CHECK (((char_length(idempotency_key) >= 8) AND (char_length(idempotency_key) <= 255))),
  constraint proposals_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint proposals_kind_known CHECK ((kind = ANY (ARRAY['voucher'::text, 'correction'::text, 'match'::text, 'invoice_draft'::text, 'purchase'::text]))),
  constraint proposals_payload_shape CHECK (((jsonb_typeof(payload) = 'object'::text) AND (octet_length((payload)::text) <= 1000000))),
  constraint proposals_pkey PRIMARY KEY (id),
  constraint proposals_prose_length CHECK (((char_length(prose) >= 1) AND (char_length(prose) <= 2000))),
  constraint proposals_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint proposals_rejected_has_reason CHECK (((status = 'rejected'::text) = (reason IS NOT NULL))),
  constraint proposals_result_kind_known CHECK ((result_kind = ANY (ARRAY['voucher'::text, 'invoice'::text, 'purchase'::text]))),
  constraint proposals_sent_once UNIQUE (caller_id, idempotency_key),
  constraint proposals_status_known CHECK ((status = ANY (ARRAY['open'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text])))
);
CREATE INDEX proposals_decided ON proposals.proposals USING btree (decided_at DESC, id DESC) WHERE (status <> 'open'::text);
CREATE INDEX proposals_of_caller ON proposals.proposals USING btree (caller_id, id DESC);
CREATE INDEX proposals_open ON proposals.proposals USING btree (created_at, id) WHERE (status = 'open'::text);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER UPDATE ON proposals.proposals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^proposal\.');
CREATE TRIGGER proposals_are_guarded BEFORE DELETE OR UPDATE ON proposals.proposals FOR EACH ROW EXECUTE FUNCTION proposals.guard_proposal();
CREATE TRIGGER proposals_are_told AFTER INSERT OR UPDATE OF status ON proposals.proposals FOR EACH ROW EXECUTE FUNCTION events.note_proposals();
alter table proposals.proposals enable row level security;
create policy people_read on proposals.proposals for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on proposals.proposals to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy worker_reads on proposals.proposals for select to hb_worker using (true);

create table purchases.attachments (
  invoice_id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  media_type text not null,
  id uuid not null default gen_random_uuid(),
  constraint attachments_content_fkey FOREIGN KEY (sha256) REFERENCES archive.contents(sha256),
  constraint attachments_file_name_length CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint attachments_id_key UNIQUE (id),
  constraint attachments_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES purchases.invoices(id),
  constraint attachments_media_type_known CHECK ((media_type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text, 'image/heic'::text, 'text/csv'::text, 'text/plain'::text, 'application/xml'::text, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'::text, 'application/vnd.oasis.opendocument.spreadsheet'::text]))),
  constraint attachments_pkey PRIMARY KEY (invoice_id, sha256)
);
CREATE INDEX attachments_by_content ON purchases.attachments USING btree (sha256);
CREATE TRIGGER attachments_file_documents AFTER INSERT ON purchases.attachments FOR EACH ROW EXECUTE FUNCTION ledger.file_document();
alter table purchases.attachments enable row level security;
create policy people_read on purchases.attachments for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.attachments to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on purchases.attachments to hb_worker using (true);

create table purchases.bank_answers (
  file_id uuid not null,
  sha256 bytea not null,
  content bytea not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint bank_answers_file_fkey FOREIGN KEY (file_id) REFERENCES purchases.payment_files(id),
  constraint bank_answers_hash_is_true CHECK ((sha256 = sha256(content))),
  constraint bank_answers_pkey PRIMARY KEY (file_id, sha256),
  constraint bank_answers_size CHECK (((octet_length(content) >= 1) AND (octet_length(content) <= 10485760)))
);
CREATE TRIGGER bank_answers_are_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON purchases.bank_answers FOR EACH STATEMENT EXECUTE FUNCTION purchases.refuse_change();
CREATE TRIGGER people_are_named BEFORE INSERT ON purchases.bank_answers FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table purchases.bank_answers enable row level security;
create policy people_read on purchases.bank_answers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.bank_answers to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table purchases.invoice_rows (
  invoice_id uuid not null,
  row_no integer not null,
  account integer not null,
  debit_ore bigint not null,
  credit_ore bigint not null,
  note text,
  cost_center_id uuid,
  project_id uuid,
  constraint invoice_rows_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES purchases.invoices(id),
  constraint invoice_rows_note_length CHECK ((char_length(note) <= 500)),
  constraint invoice_rows_one_side CHECK (((debit_ore >= 0) AND (credit_ore >= 0) AND ((debit_ore = 0) <> (credit_ore = 0)))),
  constraint invoice_rows_pkey PRIMARY KEY (invoice_id, row_no)
);
CREATE TRIGGER invoice_rows_are_frozen BEFORE INSERT OR DELETE OR UPDATE ON purchases.invoice_rows FOR EACH ROW EXECUTE FUNCTION purchases.freeze_booked_rows();
CREATE TRIGGER invoice_rows_are_never_emptied BEFORE TRUNCATE ON purchases.invoice_rows FOR EACH STATEMENT EXECUTE FUNCTION purchases.freeze_booked_rows();
alter table purchases.invoice_rows enable row level security;
create policy people_read on purchases.invoice_rows for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.invoice_rows to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on purchases.invoice_rows to hb_worker using (true);

create table purchases.invoices (
  id uuid not null,
  document_id uuid,
  status text not null,
  kind text not null,
  supplier_id uuid,
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
  payment jsonb not null,
  warnings jsonb not null default '[]'::jsonb,
  booking_date date,
  booking_refusal jsonb,
  voucher_id uuid,
  open_ore bigint not null default 0,
  rejection text,
  decided_at timestamp with time zone,
  decided_by text,
  created_at timestamp with time zone not null default now(),
  is_prepayment boolean not null default false,
  prepayment_ids uuid[] not null default '{}'::uuid[],
  original_payable_ore bigint,
  is_by_hand boolean not null default false,
  debt_account integer not null default 2440,
  laid_out_by text,
  written jsonb,
  written_by text,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  exchange_rate_e6 bigint,
  constraint invoices_booked_is_complete CHECK (((status <> 'booked'::text) OR ((booking_date IS NOT NULL) AND ((supplier_id IS NOT NULL) OR (laid_out_by IS NOT NULL))))),
  constraint invoices_by_hand_are_written CHECK (
CASE
    WHEN is_by_hand THEN ((document_id IS NULL) AND (written IS NOT NULL) AND (written_by IS NOT NULL))
    ELSE ((written IS NULL) AND (written_by IS NULL))
END),
  constraint invoices_currency_form CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint invoices_debt_is_somebodys CHECK (
CASE
    WHEN (laid_out_by IS NULL) THEN (debt_account = 2440)
    ELSE ((debt_account = ANY (ARRAY[2018, 2820, 2893])) AND is_by_hand AND (supplier_id IS NULL))
END),
  constraint invoices_decided CHECK (((status = ANY (ARRAY['booked'::text, 'rejected'::text])) = (decided_at IS NOT NULL))),
  constraint invoices_document_fkey FOREIGN KEY (document_id) REFERENCES intake.e_invoices(id),
  constraint invoices_document_key UNIQUE (document_id),
  constraint invoices_exchange_rate_range CHECK (((exchange_rate_e6 >= 1) AND (exchange_rate_e6 <= '9999999999999999'::bigint))),
  constraint invoices_kind_known CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint invoices_kronor_have_no_rate CHECK (((currency <> 'SEK'::text) OR (exchange_rate_e6 IS NULL))),
  constraint invoices_laid_out_by_length CHECK (((char_length(laid_out_by) >= 1) AND (char_length(laid_out_by) <= 200))),
  constraint invoices_opening_is_booked CHECK (((document_id IS NOT NULL) OR is_by_hand OR ((status = 'booked'::text) AND (voucher_id IS NULL) AND (payable_ore <> 0)))),
  constraint invoices_original_payable CHECK (((original_payable_ore IS NULL) OR (document_id IS NULL))),
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_rejected_has_reason CHECK (((status = 'rejected'::text) = (rejection IS NOT NULL))),
  constraint invoices_seller_is_an_object CHECK ((jsonb_typeof(seller) = 'object'::text)),
  constraint invoices_status_known CHECK ((status = ANY (ARRAY['new'::text, 'review'::text, 'booked'::text, 'rejected'::text]))),
  constraint invoices_supplier_fkey FOREIGN KEY (supplier_id) REFERENCES purchases.suppliers(id),
  constraint invoices_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id),
  constraint invoices_voucher_key UNIQUE (voucher_id),
  constraint invoices_warnings_are_a_list CHECK ((jsonb_typeof(warnings) = 'array'::text))
);
CREATE INDEX invoices_booked_by_supplier ON purchases.invoices USING btree (supplier_id, decided_at DESC, id DESC) WHERE (status = 'booked'::text);
CREATE INDEX invoices_by_change ON purchases.invoices USING btree (updated_at);
CREATE INDEX invoices_by_number ON purchases.invoices USING btree (invoice_number);
CREATE INDEX invoices_by_supplier ON purchases.invoices USING btree (supplier_id, invoice_number);
CREATE INDEX invoices_by_supplier_and_date ON purchases.invoices USING btree (supplier_id, issue_date DESC, id DESC);
CREATE INDEX invoices_laid_out ON purchases.invoices USING btree (laid_out_by) INCLUDE (open_ore) WHERE (laid_out_by IS NOT NULL);
CREATE INDEX invoices_open ON purchases.invoices USING btree (due_date) WHERE (open_ore <> 0);
CREATE INDEX invoices_open_by_supplier ON purchases.invoices USING btree (supplier_id) INCLUDE (open_ore) WHERE (open_ore <> 0);
CREATE INDEX invoices_opening ON purchases.invoices USING btree (supplier_id) WHERE (document_id IS NULL);
CREATE INDEX invoices_prepaid ON purchases.invoices USING btree (supplier_id) WHERE is_prepayment;
CREATE INDEX invoices_rejected ON purchases.invoices USING btree (id) WHERE (status = 'rejected'::text);
CREATE INDEX invoices_settling ON purchases.invoices USING gin (prepayment_ids) WHERE (prepayment_ids <> '{}'::uuid[]);
CREATE INDEX invoices_waiting ON purchases.invoices USING btree (created_at) WHERE (status = ANY (ARRAY['new'::text, 'review'::text]));
CREATE UNIQUE INDEX invoices_by_hand_key ON purchases.invoices USING btree (supplier_id, invoice_number) WHERE (is_by_hand AND (status <> 'rejected'::text));
CREATE UNIQUE INDEX invoices_opening_key ON purchases.invoices USING btree (supplier_id, invoice_number) WHERE ((document_id IS NULL) AND (NOT is_by_hand));
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON purchases.invoices FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER invoices_are_frozen BEFORE DELETE OR UPDATE ON purchases.invoices FOR EACH ROW EXECUTE FUNCTION purchases.freeze_booked_invoice();
CREATE TRIGGER invoices_are_never_emptied BEFORE TRUNCATE ON purchases.invoices FOR EACH STATEMENT EXECUTE FUNCTION purchases.freeze_booked_invoice();
CREATE TRIGGER invoices_sum_booked AFTER UPDATE OF status ON purchases.invoices FOR EACH ROW WHEN (((new.voucher_id IS NOT NULL) AND (old.voucher_id IS NULL))) EXECUTE FUNCTION purchases.sum_booked();
CREATE TRIGGER removals_are_told AFTER DELETE ON purchases.invoices FOR EACH ROW EXECUTE FUNCTION events.note_removed('inkop', 'id');
CREATE TRIGGER times_are_real BEFORE INSERT OR UPDATE OF created_at ON purchases.invoices FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_time();
alter table purchases.invoices enable row level security;
create policy people_read on purchases.invoices for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.invoices to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on purchases.invoices to hb_worker using (true);

create table purchases.payable_changes (
  series_id uuid not null,
  month date not null,
  ore bigint not null,
  constraint payable_changes_pkey PRIMARY KEY (month, series_id),
  constraint payable_changes_series_fkey FOREIGN KEY (series_id) REFERENCES ledger.series(id)
) with (fillfactor=50);
alter table purchases.payable_changes enable row level security;
create policy people_read on purchases.payable_changes for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on purchases.payable_changes to hb_worker using (true);

create table purchases.payment_files (
  id uuid not null,
  number integer generated always as identity not null,
  account_id uuid not null,
  message_id text not null,
  content bytea not null,
  sha256 bytea not null,
  needs_second_person boolean not null default false,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  approved_at timestamp with time zone,
  approved_by text,
  sent_at timestamp with time zone,
  sent_by text,
  cancelled_at timestamp with time zone,
  cancelled_by text,
  cancel_reason text,
  constraint payment_files_account_fkey FOREIGN KEY (account_id) REFERENCES bank.accounts(id),
  constraint payment_files_approved CHECK (((approved_at IS NULL) = (approved_by IS NULL))),
  constraint payment_files_approved_by_another CHECK ((approved_by <> created_by)),
  constraint payment_files_cancelled CHECK (((cancelled_at IS NULL) = (cancelled_by IS NULL))),
  constraint payment_files_cancelled_has_reason CHECK (
CASE
    WHEN ((cancelled_at IS NULL) OR (sent_at IS NULL)) THEN true
    ELSE (cancel_reason IS NOT NULL)
END),
  constraint payment_files_message_form CHECK ((message_id ~ '^[A-Za-z0-9-]{1,35}$'::text)),
  constraint payment_files_message_key UNIQUE (message_id),
  constraint payment_files_number_key UNIQUE (number),
  constraint payment_files_pkey PRIMARY KEY (id),
  constraint payment_files_reason_length CHECK (((char_length(cancel_reason) >= 1) AND (char_length(cancel_reason) <= 500))),
  constraint payment_files_sent CHECK (((sent_at IS NULL) = (sent_by IS NULL)))
);
CREATE INDEX payment_files_open ON purchases.payment_files USING btree (id) WHERE ((sent_at IS NULL) AND (cancelled_at IS NULL));
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR UPDATE ON purchases.payment_files DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^payment_file\.');
CREATE CONSTRAINT TRIGGER payment_files_are_told_whole AFTER INSERT ON purchases.payment_files DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchases.require_told_file();
CREATE TRIGGER payment_files_are_guarded BEFORE INSERT OR DELETE OR UPDATE ON purchases.payment_files FOR EACH ROW EXECUTE FUNCTION purchases.guard_payment_file();
CREATE TRIGGER payment_files_are_never_emptied BEFORE TRUNCATE ON purchases.payment_files FOR EACH STATEMENT EXECUTE FUNCTION purchases.refuse_change();
CREATE TRIGGER payment_files_are_told AFTER INSERT ON purchases.payment_files FOR EACH ROW EXECUTE FUNCTION events.note_payment_file();
CREATE TRIGGER payment_files_free_their_parts AFTER UPDATE OF cancelled_at ON purchases.payment_files FOR EACH ROW EXECUTE FUNCTION purchases.keep_live_parts();
CREATE TRIGGER people_are_named BEFORE INSERT ON purchases.payment_files FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table purchases.payment_files enable row level security;
create policy people_read on purchases.payment_files for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.payment_files to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy worker_reads on purchases.payment_files for select to hb_worker using (true);

create table purchases.payments (
  id uuid not null,
  invoice_id uuid not null,
  paid_on date not null,
  amount_ore bigint not null,
  account integer not null,
  voucher_id uuid not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  kind text not null default 'money'::text,
  constraint payments_amount_not_zero CHECK ((amount_ore <> 0)),
  constraint payments_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES purchases.invoices(id),
  constraint payments_kind_is_of_account CHECK (((kind = 'money'::text) OR ((kind <> 'loss'::text) AND (kind = COALESCE(
CASE kind
    WHEN 'set_off'::text THEN
    CASE
        WHEN (account = ANY (ARRAY[1510, 2440])) THEN 'set_off'::text
        ELSE NULL::text
    END
    ELSE sales.settlement_kind(account)
END, ''::text))))),
  constraint payments_pkey PRIMARY KEY (id),
  constraint payments_rounding_is_small CHECK (((kind <> 'rounding'::text) OR ((amount_ore >= '-99'::integer) AND (amount_ore <= 99)))),
  constraint payments_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX payments_by_invoice ON purchases.payments USING btree (invoice_id);
CREATE INDEX payments_by_voucher ON purchases.payments USING btree (voucher_id);
CREATE TRIGGER documents_are_held AFTER INSERT ON purchases.payments FOR EACH ROW WHEN ((new.kind = 'set_off'::text)) EXECUTE FUNCTION bank.hold_documents_of('voucher_id');
CREATE TRIGGER payments_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON purchases.payments FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
CREATE TRIGGER payments_are_judged AFTER INSERT ON purchases.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.judge_purchase_payments();
CREATE TRIGGER payments_have_their_voucher AFTER INSERT ON purchases.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION purchases.judge_booked_payments();
CREATE TRIGGER payments_settle AFTER INSERT ON purchases.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION purchases.settle_added();
CREATE TRIGGER payouts_are_followed AFTER INSERT ON purchases.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION purchases.follow_payouts();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON purchases.payments FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table purchases.payments enable row level security;
create policy people_read on purchases.payments for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.payments to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on purchases.payments to hb_worker using (true);

create table purchases.payout_parts (
  payout_id uuid not null,
  place integer not null,
  invoice_id uuid,
  tax text,
  amount_ore bigint not null,
  is_live boolean not null default true,
  constraint payout_parts_amount_not_zero CHECK ((amount_ore <> 0)),
  constraint payout_parts_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES purchases.invoices(id),
  constraint payout_parts_of_one CHECK ((num_nonnulls(invoice_id, tax) = 1)),
  constraint payout_parts_payout_fkey FOREIGN KEY (payout_id) REFERENCES purchases.payouts(id),
  constraint payout_parts_pkey PRIMARY KEY (payout_id, place),
  constraint payout_parts_tax_form CHECK ((tax ~ '^(vat [0-9]{4}-[0-9]{2}-[0-9]{2}|payroll [0-9]{4}-[0-9]{2})$'::text))
);
CREATE INDEX payout_parts_by_invoice ON purchases.payout_parts USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);
CREATE UNIQUE INDEX payout_parts_invoice_once ON purchases.payout_parts USING btree (invoice_id) WHERE (is_live AND (invoice_id IS NOT NULL));
CREATE UNIQUE INDEX payout_parts_tax_once ON purchases.payout_parts USING btree (tax) WHERE (is_live AND (tax IS NOT NULL));
CREATE CONSTRAINT TRIGGER payouts_are_their_parts AFTER INSERT ON purchases.payout_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchases.require_whole_payout();
CREATE TRIGGER payout_parts_are_judged BEFORE INSERT OR DELETE OR UPDATE ON purchases.payout_parts FOR EACH ROW EXECUTE FUNCTION purchases.judge_payout_part();
CREATE TRIGGER payout_parts_are_never_emptied BEFORE TRUNCATE ON purchases.payout_parts FOR EACH STATEMENT EXECUTE FUNCTION purchases.refuse_change();
alter table purchases.payout_parts enable row level security;
create policy people_read on purchases.payout_parts for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.payout_parts to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table purchases.payouts (
  id uuid not null,
  file_id uuid not null,
  place integer not null,
  end_to_end_id text not null,
  block_id text not null,
  execution_on date not null,
  amount_ore bigint not null,
  supplier_id uuid,
  laid_out_by text,
  payee_name text not null,
  payee_kind text not null,
  payee_number text not null,
  ocr text,
  message text,
  is_payee_changed boolean not null default false,
  accepted_at timestamp with time zone,
  refused_at timestamp with time zone,
  refusal text,
  voucher_id uuid,
  constraint payouts_amount_is_positive CHECK ((amount_ore > 0)),
  constraint payouts_block_id_form CHECK ((block_id ~ '^[A-Za-z0-9-]{1,35}$'::text)),
  constraint payouts_end_to_end_id_form CHECK ((end_to_end_id ~ '^[A-Za-z0-9-]{1,35}$'::text)),
  constraint payouts_end_to_end_id_key UNIQUE (end_to_end_id),
  constraint payouts_file_fkey FOREIGN KEY (file_id) REFERENCES purchases.payment_files(id),
  constraint payouts_ocr_form CHECK ((ocr ~ '^[0-9]{2,25}$'::text)),
  constraint payouts_of_one CHECK ((num_nonnulls(supplier_id, laid_out_by) <= 1)),
  constraint payouts_payee_kind_known CHECK ((payee_kind = ANY (ARRAY['bankgiro'::text, 'plusgiro'::text, 'iban'::text, 'other'::text]))),
  constraint payouts_payee_number_form CHECK ((payee_number ~ '^[A-Z0-9]{2,34}$'::text)),
  constraint payouts_pkey PRIMARY KEY (id),
  constraint payouts_place_key UNIQUE (file_id, place),
  constraint payouts_refusal_length CHECK (((char_length(refusal) >= 1) AND (char_length(refusal) <= 500))),
  constraint payouts_refused_has_reason CHECK (((refused_at IS NULL) = (refusal IS NULL))),
  constraint payouts_refused_or_booked CHECK (((refused_at IS NULL) OR (voucher_id IS NULL))),
  constraint payouts_supplier_fkey FOREIGN KEY (supplier_id) REFERENCES purchases.suppliers(id),
  constraint payouts_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX payouts_by_person ON purchases.payouts USING btree (laid_out_by, id) WHERE (laid_out_by IS NOT NULL);
CREATE INDEX payouts_by_supplier ON purchases.payouts USING btree (supplier_id, id) WHERE (supplier_id IS NOT NULL);
CREATE INDEX payouts_by_voucher ON purchases.payouts USING btree (voucher_id) WHERE (voucher_id IS NOT NULL);
CREATE INDEX payouts_refused ON purchases.payouts USING btree (id) WHERE (refused_at IS NOT NULL);
CREATE INDEX payouts_waiting ON purchases.payouts USING btree (file_id) WHERE ((voucher_id IS NULL) AND (refused_at IS NULL));
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER UPDATE ON purchases.payouts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^payment_file\.');
CREATE CONSTRAINT TRIGGER payouts_are_paid AFTER UPDATE ON purchases.payouts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.voucher_id IS NOT NULL) AND (new.voucher_id IS DISTINCT FROM old.voucher_id))) EXECUTE FUNCTION purchases.require_paid_payout();
CREATE CONSTRAINT TRIGGER payouts_are_their_parts AFTER INSERT ON purchases.payouts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION purchases.require_whole_payout();
CREATE TRIGGER payouts_are_guarded BEFORE INSERT OR DELETE OR UPDATE ON purchases.payouts FOR EACH ROW EXECUTE FUNCTION purchases.guard_payout();
CREATE TRIGGER payouts_are_never_emptied BEFORE TRUNCATE ON purchases.payouts FOR EACH STATEMENT EXECUTE FUNCTION purchases.refuse_change();
CREATE TRIGGER payouts_are_told AFTER INSERT ON purchases.payouts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION purchases.require_told_payouts();
CREATE TRIGGER payouts_free_their_parts AFTER UPDATE OF refused_at, voucher_id ON purchases.payouts FOR EACH ROW EXECUTE FUNCTION purchases.keep_live_parts();
alter table purchases.payouts enable row level security;
create policy people_read on purchases.payouts for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.payouts to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy worker_reads on purchases.payouts for select to hb_worker using (true);

create table purchases.supplier_accounts (
  supplier_id uuid not null,
  kind text not null,
  number text not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint supplier_accounts_kind_known CHECK ((kind = ANY (ARRAY['bankgiro'::text, 'plusgiro'::text, 'iban'::text, 'other'::text]))),
  constraint supplier_accounts_pkey PRIMARY KEY (supplier_id, kind, number),
  constraint supplier_accounts_supplier_fkey FOREIGN KEY (supplier_id) REFERENCES purchases.suppliers(id)
);
CREATE INDEX supplier_accounts_by_number ON purchases.supplier_accounts USING btree (kind, number);
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON purchases.supplier_accounts FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table purchases.supplier_accounts enable row level security;
create policy people_read on purchases.supplier_accounts for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.supplier_accounts to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on purchases.supplier_accounts to hb_worker using (true);

create table purchases.suppliers (
  id uuid not null,
  name text not null,
  organization_number text,
  vat_number text,
  endpoint text,
  country_code text not null default 'SE'::text,
  account integer,
  is_active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  email text,
  phone text,
  address text,
  postal_code text,
  city text,
  sort_name text collate "C" generated always as (translate(lower(name), 'ÅåÄäÆæÖöØøÉéÈèÁáÜü'::text, '{{||||}}}}eeeeaauu'::text)) stored,
  supply text,
  reverse_charge_rate integer not null default 25,
  payment_days integer,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  external_id text,
  constraint suppliers_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint suppliers_address_length CHECK ((char_length(address) <= 200)),
  constraint suppliers_city_length CHECK ((char_length(city) <= 100)),
  constraint suppliers_country_form CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
  constraint suppliers_email_length CHECK ((char_length(email) <= 320)),
  constraint suppliers_endpoint_key UNIQUE (endpoint),
  constraint suppliers_external_id_key UNIQUE (external_id),
  constraint suppliers_external_id_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
  constraint suppliers_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint suppliers_organization_number_key UNIQUE (organization_number),
  constraint suppliers_payment_days_range CHECK (((payment_days >= 0) AND (payment_days <= 365))),
  constraint suppliers_phone_length CHECK ((char_length(phone) <= 50)),
  constraint suppliers_pkey PRIMARY KEY (id),
  constraint suppliers_postal_code_length CHECK ((char_length(postal_code) <= 20)),
  constraint suppliers_reverse_charge_rate_known CHECK ((reverse_charge_rate = ANY (ARRAY[25, 12, 6, 0]))),
  constraint suppliers_supply_known CHECK ((supply = ANY (ARRAY['goods'::text, 'services'::text]))),
  constraint suppliers_vat_number_key UNIQUE (vat_number)
);
CREATE INDEX suppliers_in_order ON purchases.suppliers USING btree (sort_name, id);
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON purchases.suppliers FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON purchases.suppliers FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER removals_are_told AFTER DELETE ON purchases.suppliers FOR EACH ROW EXECUTE FUNCTION events.note_removed('leverantorer', 'id');
alter table purchases.suppliers enable row level security;
create policy people_read on purchases.suppliers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on purchases.suppliers to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on purchases.suppliers to hb_worker using (true);

create table restricted.address_windows (
  address inet not null,
  purpose text not null,
  opened_at timestamp with time zone not null,
  used bigint not null,
  constraint address_windows_pkey PRIMARY KEY (address, purpose)
) with (fillfactor=50);

create table restricted.agency_keys (
  id uuid not null,
  agency text not null,
  hash bytea not null,
  hint text not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  last_exchanged_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  constraint agency_keys_agency_length CHECK (((char_length(agency) >= 1) AND (char_length(agency) <= 200))),
  constraint agency_keys_hash_key UNIQUE (hash),
  constraint agency_keys_hash_length CHECK ((octet_length(hash) = 32)),
  constraint agency_keys_pkey PRIMARY KEY (id)
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE OF agency, hash, revoked_at ON restricted.agency_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^agency\.');
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON restricted.agency_keys FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION restricted.stamp_key();
alter table restricted.agency_keys enable row level security;
create policy people_administer on restricted.agency_keys to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on restricted.agency_keys to hb_worker using (true);

create table restricted.agency_tokens (
  hash bytea not null,
  key_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint agency_tokens_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.agency_keys(id),
  constraint agency_tokens_pkey PRIMARY KEY (hash)
);
CREATE INDEX agency_tokens_expires_at ON restricted.agency_tokens USING btree (expires_at);
CREATE INDEX agency_tokens_key ON restricted.agency_tokens USING btree (key_id, expires_at);
alter table restricted.agency_tokens enable row level security;
create policy people_administer on restricted.agency_tokens to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on restricted.agency_tokens to hb_worker using (true);

create table restricted.api_keys (
  id uuid not null,
  name text not null,
  hash bytea not null,
  hint text not null,
  scopes text[] not null,
  quota_per_hour integer not null default 600,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  legacy_name text,
  successor_id uuid,
  is_test boolean not null default false,
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_hash_length CHECK ((octet_length(hash) = 32)),
  constraint api_keys_legacy_name_key UNIQUE (legacy_name),
  constraint api_keys_legacy_name_known CHECK ((legacy_name = ANY (ARRAY['STATS_API_KEY'::text, 'ORDER_INBOUND_SECRET'::text, 'PEPPOL_INBOUND_SECRET'::text]))),
  constraint api_keys_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_quota_range CHECK (((quota_per_hour >= 1) AND (quota_per_hour <= 1000000000))),
  constraint api_keys_scopes_known CHECK (((scopes <@ ARRAY['data:read'::text, 'intake:write'::text, 'ledger:write'::text, 'documents:read'::text, 'documents:write'::text, 'bank:read'::text, 'bank:write'::text, 'proposals:write'::text]) AND (cardinality(scopes) > 0))),
  constraint api_keys_show_what_they_are CHECK ((is_test = starts_with(hint, 'svc_test_'::text))),
  constraint api_keys_successor_fkey FOREIGN KEY (successor_id) REFERENCES restricted.api_keys(id),
  constraint api_keys_successor_is_another CHECK ((successor_id <> id))
);
CREATE UNIQUE INDEX api_keys_successor_key ON restricted.api_keys USING btree (successor_id) WHERE (successor_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE ON restricted.api_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^key\.');
CREATE TRIGGER keys_are_rotated_once BEFORE UPDATE OF successor_id, expires_at ON restricted.api_keys FOR EACH ROW WHEN ((SESSION_USER = 'hb_app'::name)) EXECUTE FUNCTION restricted.keep_succession();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON restricted.api_keys FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION restricted.stamp_key();
CREATE TRIGGER test_keys_need_a_demo BEFORE INSERT OR UPDATE OF is_test ON restricted.api_keys FOR EACH ROW WHEN (new.is_test) EXECUTE FUNCTION restricted.require_demo();
alter table restricted.api_keys enable row level security;
create policy people_administer on restricted.api_keys to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on restricted.api_keys to hb_worker using (true);

create table restricted.backups (
  id uuid not null,
  taken_at timestamp with time zone not null,
  finished_at timestamp with time zone not null default now(),
  is_own boolean not null,
  file text,
  size_bytes bigint,
  vouchers bigint,
  verified_at timestamp with time zone,
  problems integer,
  failure text,
  constraint backups_own_is_whole CHECK ((((file IS NULL) = (size_bytes IS NULL)) AND (is_own OR ((file IS NULL) AND (failure IS NULL))))),
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_size_not_negative CHECK ((size_bytes >= 0)),
  constraint backups_verified_has_problems CHECK (((verified_at IS NULL) = (problems IS NULL)))
);
CREATE INDEX backups_finished_at ON restricted.backups USING btree (finished_at DESC);
alter table restricted.backups enable row level security;
create policy people_administer on restricted.backups for select to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_look on restricted.backups for select to hb_worker using (true);

create table restricted.begun_forms (
  id uuid not null,
  user_id uuid not null,
  address text not null,
  pairs text,
  is_offered boolean not null,
  kept_at timestamp with time zone not null default now(),
  constraint begun_forms_address_length CHECK ((char_length(address) <= 1000)),
  constraint begun_forms_pairs_size CHECK ((octet_length(pairs) <= 300000)),
  constraint begun_forms_pkey PRIMARY KEY (user_id, id),
  constraint begun_forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES restricted.users(id) ON DELETE CASCADE
);
CREATE INDEX begun_forms_kept_at ON restricted.begun_forms USING btree (kept_at);
alter table restricted.begun_forms enable row level security;
create policy people_see_their_own on restricted.begun_forms to hb_app using (((user_id = ( SELECT app.current_user_id() AS current_user_id)) AND ( SELECT app.may('read'::text) AS may)));

create table restricted.company (
  singleton boolean not null default true,
  id uuid not null,
  name text not null,
  organization_number text not null,
  vat_number text not null,
  created_at timestamp with time zone not null default now(),
  vat_period text not null default 'quarter'::text,
  vat_large_taxpayer boolean not null default false,
  vat_yearly text not null default 'legal_person'::text,
  vat_digital boolean not null default true,
  order_supply text not null default 'goods'::text,
  order_payment_terms_days integer not null default 30,
  order_booking_is_automatic boolean not null default false,
  collective_customer_id uuid,
  receiver_ids text[] not null default '{}'::text[],
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
  partner_account text,
  is_approved_for_f_tax boolean not null default false,
  interest_from text not null default 'due_date'::text,
  interest_is_stated boolean not null default true,
  reminder_fee_is_agreed boolean not null default false,
  seat text,
  moved_on date,
  bank_booking_is_automatic boolean not null default false,
  swish text,
  tax_ocr text,
  reminder_runs_are_on boolean not null default false,
  reminder_days integer[] not null default '{7,21,35}'::integer[],
  reminder_runs_claim_fee boolean not null default false,
  reminder_bank_days integer default 3,
  order_payment_accounts text[] not null default '{"card 1686","klarna 1686","paypal 1686","swish 1930","bank 1930","cash 1910","gift_card 2421","tip 2890"}'::text[],
  till_accounts text[] not null default '{"card 1686","swish 1930","cash 1910","gift_card 2421","bank 1930","tip 2890"}'::text[],
  order_oss_is_on boolean not null default false,
  is_demo boolean not null default false,
  constraint company_collective_customer_fkey FOREIGN KEY (collective_customer_id) REFERENCES sales.customers(id),
  constraint company_demo_has_its_number CHECK (((NOT is_demo) OR (organization_number = '5599990008'::text))),
  constraint company_id_key UNIQUE (id),
  constraint company_interest_from_known CHECK ((interest_from = ANY (ARRAY['due_date'::text, 'demand'::text]))),
  constraint company_is_single CHECK (singleton),
  constraint company_months_from_first_of_month CHECK ((EXTRACT(day FROM months_from) = (1)::numeric)),
  constraint company_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint company_order_payment_terms_range CHECK (((order_payment_terms_days >= 0) AND (order_payment_terms_days <= 90))),
  constraint company_order_supply_known CHECK ((order_supply = ANY (ARRAY['goods'::text, 'services'::text]))),
  constraint company_organization_number_form CHECK ((organization_number ~ '^[0-9]{10}$'::text)),
  constraint company_pkey PRIMARY KEY (singleton),
  constraint company_reminder_bank_days_range CHECK (((reminder_bank_days >= 0) AND (reminder_bank_days <= 60))),
  constraint company_reminder_days_rise CHECK (((array_ndims(reminder_days) = 1) AND ((cardinality(reminder_days) >= 1) AND (cardinality(reminder_days) <= 3)) AND (array_position(reminder_days, NULL::integer) IS NULL) AND (1 <= ALL (reminder_days)) AND (365 >= ALL (reminder_days)) AND ((cardinality(reminder_days) < 2) OR (reminder_days[1] < reminder_days[2])) AND ((cardinality(reminder_days) < 3) OR (reminder_days[2] < reminder_days[3])))),
  constraint company_seat_length CHECK ((char_length(seat) <= 100)),
  constraint company_swish_form CHECK ((swish ~ '^123 [0-9]{3} [0-9]{2} [0-9]{2}$'::text)),
  constraint company_tax_ocr_form CHECK ((tax_ocr ~ '^[0-9]{2,25}$'::text)),
  constraint company_vat_period_known CHECK ((vat_period = ANY (ARRAY['month'::text, 'quarter'::text, 'year'::text]))),
  constraint company_vat_yearly_known CHECK ((vat_yearly = ANY (ARRAY['no_income_tax_return_or_eu_trade'::text, 'sole_trader'::text, 'legal_person'::text])))
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR UPDATE ON restricted.company DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^(company|setting)\.');
CREATE TRIGGER company_keeps_move_day BEFORE UPDATE OF moved_on ON restricted.company FOR EACH ROW WHEN ((new.moved_on IS DISTINCT FROM old.moved_on)) EXECUTE FUNCTION sales.keep_move_day();
CREATE TRIGGER company_stays_what_it_is BEFORE UPDATE OF is_demo ON restricted.company FOR EACH ROW WHEN ((new.is_demo <> old.is_demo)) EXECUTE FUNCTION restricted.keep_demo();
alter table restricted.company enable row level security;
create policy people_read on restricted.company for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on restricted.company to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on restricted.company to hb_worker using (true);

create table restricted.form_posts (
  id uuid not null,
  user_id uuid,
  location text not null,
  created_at timestamp with time zone not null default now(),
  constraint form_posts_pkey PRIMARY KEY (id)
);
CREATE INDEX form_posts_created_at ON restricted.form_posts USING btree (created_at);

create table restricted.idempotency (
  key_id uuid not null,
  route text not null,
  idempotency_key text not null,
  request_hash bytea not null,
  request text not null,
  request_id uuid not null,
  created_at timestamp with time zone not null default now(),
  made uuid not null,
  told jsonb,
  constraint idempotency_key_length CHECK (((char_length(idempotency_key) >= 8) AND (char_length(idempotency_key) <= 255))),
  constraint idempotency_pkey PRIMARY KEY (key_id, route, idempotency_key)
);
CREATE INDEX idempotency_created_at ON restricted.idempotency USING brin (created_at);

create table restricted.key_call_counts (
  key_id uuid not null,
  calls bigint not null,
  constraint key_call_counts_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint key_call_counts_pkey PRIMARY KEY (key_id)
) with (fillfactor=50);

create table restricted.key_calls (
  key_id uuid not null,
  place smallint not null,
  called_at timestamp with time zone not null,
  route text not null,
  status smallint not null,
  code text,
  duration_ms integer not null,
  request_id uuid not null,
  constraint key_calls_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint key_calls_pkey PRIMARY KEY (key_id, place),
  constraint key_calls_place_range CHECK (((place >= 0) AND (place <= 99)))
) with (fillfactor=50);
alter table restricted.key_calls enable row level security;
create policy people_administer on restricted.key_calls for select to hb_app using (( SELECT app.may('administer'::text) AS may));

create table restricted.key_windows (
  key_id uuid not null,
  opened_at timestamp with time zone not null,
  used bigint not null,
  last_used_at timestamp with time zone not null,
  constraint key_windows_key_fkey FOREIGN KEY (key_id) REFERENCES restricted.api_keys(id),
  constraint key_windows_pkey PRIMARY KEY (key_id)
) with (fillfactor=50);
alter table restricted.key_windows enable row level security;
create policy people_administer on restricted.key_windows to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on restricted.key_windows to hb_worker using (true);

create table restricted.login_salt (
  singleton boolean not null default true,
  secret bytea not null,
  constraint login_salt_is_single CHECK (singleton),
  constraint login_salt_pkey PRIMARY KEY (singleton)
);

create table restricted.login_windows (
  subject text not null,
  opened_at timestamp with time zone not null,
  used bigint not null,
  constraint login_windows_pkey PRIMARY KEY (subject)
) with (fillfactor=50);

create table restricted.password_tries (
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  session bytea,
  made_at timestamp with time zone not null default now(),
  answered_in xid8,
  is_right boolean,
  constraint password_tries_answered CHECK (((answered_in IS NULL) = (is_right IS NULL))),
  constraint password_tries_pkey PRIMARY KEY (id),
  constraint password_tries_user_fkey FOREIGN KEY (user_id) REFERENCES restricted.users(id)
);
CREATE INDEX password_tries_made_at ON restricted.password_tries USING btree (made_at);

create table restricted.processes (
  id uuid not null,
  host text not null,
  pid integer not null,
  parts text[] not null,
  version text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null default now(),
  handled jsonb not null default '{}'::jsonb,
  work jsonb not null default '{}'::jsonb,
  constraint processes_host_length CHECK ((char_length(host) <= 300)),
  constraint processes_pkey PRIMARY KEY (id)
) with (fillfactor=50);
alter table restricted.processes enable row level security;
create policy people_administer on restricted.processes to hb_app using (( SELECT app.may('administer'::text) AS may));

create table restricted.recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_codes_user_fkey FOREIGN KEY (user_id) REFERENCES restricted.users(id)
);

create table restricted.secrets_key (
  singleton boolean not null default true,
  key_id text not null,
  set_at timestamp with time zone not null default now(),
  constraint secrets_key_id_form CHECK ((key_id ~ '^[0-9a-f]{16}$'::text)),
  constraint secrets_key_is_single CHECK (singleton),
  constraint secrets_key_pkey PRIMARY KEY (singleton)
);

create table restricted.sessions (
  hash bytea not null,
  user_id uuid not null,
  is_complete boolean not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  address inet,
  agent text not null default ''::text,
  constraint sessions_agent_length CHECK ((char_length(agent) <= 300)),
  constraint sessions_hash_length CHECK ((octet_length(hash) = 32)),
  constraint sessions_pkey PRIMARY KEY (hash),
  constraint sessions_user_fkey FOREIGN KEY (user_id) REFERENCES restricted.users(id)
);
CREATE INDEX sessions_by_user ON restricted.sessions USING btree (user_id);
alter table restricted.sessions enable row level security;
create policy owners_see_all on restricted.sessions to hb_app using (( SELECT app.may('own'::text) AS may));
create policy people_see_their_own on restricted.sessions to hb_app using ((user_id = ( SELECT app.complete_user_id() AS complete_user_id)));

create table restricted.setup_tokens (
  hash bytea not null,
  created_at timestamp with time zone not null default now(),
  claimed_by xid8,
  constraint setup_tokens_pkey PRIMARY KEY (hash)
);

create table restricted.users (
  id uuid not null,
  email text not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  deactivated_at timestamp with time zone,
  name text not null default ''::text,
  password_is_temporary boolean not null default false,
  totp_last_step bigint,
  last_login_at timestamp with time zone,
  password_salt bytea,
  password_cost text,
  password_verifier bytea,
  totp_hash bytea,
  sealed_totp_secret bytea,
  has_second_factor boolean not null generated always as ((totp_hash IS NOT NULL)) stored,
  language text not null default 'sv'::text,
  password_expires_at timestamp with time zone,
  invitation_hash bytea,
  invitation_expires_at timestamp with time zone,
  has_password boolean not null generated always as ((password_verifier IS NOT NULL)) stored,
  invitation_by uuid,
  password_given_by uuid,
  constraint users_email_length CHECK (((char_length(email) >= 3) AND (char_length(email) <= 320))),
  constraint users_invitation_hash_length CHECK ((octet_length(invitation_hash) = 32)),
  constraint users_invitation_is_whole CHECK (((invitation_hash IS NULL) = (invitation_expires_at IS NULL))),
  constraint users_language_known CHECK ((language = ANY (ARRAY['sv'::text, 'en'::text]))),
  constraint users_name_length CHECK ((char_length(name) <= 200)),
  constraint users_password_cost_known CHECK ((password_cost = 'm=19456,t=2,p=1'::text)),
  constraint users_password_is_whole CHECK ((num_nulls(password_salt, password_cost, password_verifier) = ANY (ARRAY[0, 3]))),
  constraint users_password_salt_length CHECK (((octet_length(password_salt) >= 8) AND (octet_length(password_salt) <= 64))),
  constraint users_password_verifier_length CHECK ((octet_length(password_verifier) = 32)),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_known CHECK ((role = ANY (ARRAY['agare'::text, 'administrator'::text, 'medarbetare'::text, 'lasare'::text]))),
  constraint users_sealed_needs_hash CHECK (((sealed_totp_secret IS NULL) OR (totp_hash IS NOT NULL))),
  constraint users_temporary_passwords_expire CHECK ((password_is_temporary = (password_expires_at IS NOT NULL))),
  constraint users_totp_hash_length CHECK ((octet_length(totp_hash) = 32))
);
CREATE UNIQUE INDEX users_email_key ON restricted.users USING btree (lower(email));
CREATE UNIQUE INDEX users_invitation_hash_key ON restricted.users USING btree (invitation_hash);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE OF email, role, deactivated_at ON restricted.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^user\.');
CREATE TRIGGER users_end_invitations BEFORE UPDATE OF email, password_verifier, deactivated_at ON restricted.users FOR EACH ROW WHEN (((old.email IS DISTINCT FROM new.email) OR (old.password_verifier IS DISTINCT FROM new.password_verifier) OR ((old.deactivated_at IS NULL) AND (new.deactivated_at IS NOT NULL)))) EXECUTE FUNCTION app.end_invitation();
CREATE TRIGGER users_end_old_sessions AFTER UPDATE OF password_verifier, deactivated_at, totp_hash ON restricted.users FOR EACH ROW WHEN (((old.password_verifier IS DISTINCT FROM new.password_verifier) OR ((old.deactivated_at IS NULL) AND (new.deactivated_at IS NOT NULL)) OR (old.totp_hash IS DISTINCT FROM new.totp_hash))) EXECUTE FUNCTION app.end_old_sessions();
CREATE TRIGGER users_have_an_owner BEFORE UPDATE OF role, deactivated_at ON restricted.users FOR EACH ROW WHEN (((old.role = 'agare'::text) AND (old.deactivated_at IS NULL) AND ((new.role <> 'agare'::text) OR (new.deactivated_at IS NOT NULL)))) EXECUTE FUNCTION app.keep_an_owner();
CREATE TRIGGER users_have_an_owner_left BEFORE DELETE ON restricted.users FOR EACH ROW WHEN (((old.role = 'agare'::text) AND (old.deactivated_at IS NULL))) EXECUTE FUNCTION app.keep_an_owner();
alter table restricted.users enable row level security;
create policy people_read on restricted.users for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on restricted.users to hb_app using (( SELECT app.may('own'::text) AS may));

create table restricted.write_proofs (
  proved_at timestamp with time zone not null
);

create table sales.article_revenues (
  article_number text not null,
  account integer not null,
  net_ore bigint not null,
  constraint article_revenues_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint article_revenues_pkey PRIMARY KEY (article_number, account)
) with (fillfactor=50);
alter table sales.article_revenues enable row level security;
create policy people_read on sales.article_revenues for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on sales.article_revenues to hb_worker using (true);

create table sales.articles (
  number text not null,
  description text not null,
  supply text not null,
  account integer,
  is_active boolean not null default true,
  unit_price_e4 bigint,
  unit text,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  external_id text,
  constraint articles_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint articles_description_length CHECK (((char_length(description) >= 1) AND (char_length(description) <= 500))),
  constraint articles_external_id_key UNIQUE (external_id),
  constraint articles_external_id_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
  constraint articles_number_length CHECK (((char_length(number) >= 1) AND (char_length(number) <= 100))),
  constraint articles_pkey PRIMARY KEY (number),
  constraint articles_supply_known CHECK ((supply = ANY (ARRAY['goods'::text, 'services'::text]))),
  constraint articles_unit_length CHECK (((char_length(unit) >= 1) AND (char_length(unit) <= 20))),
  constraint articles_unit_price_range CHECK (((unit_price_e4 >= '-99999999999999'::bigint) AND (unit_price_e4 <= '99999999999999'::bigint)))
);
CREATE TRIGGER articles_in_use BEFORE DELETE OR UPDATE OF number ON sales.articles FOR EACH ROW EXECUTE FUNCTION sales.refuse_article_in_use();
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON sales.articles FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER removals_are_told AFTER DELETE ON sales.articles FOR EACH ROW EXECUTE FUNCTION events.note_removed('artiklar', 'number');
CREATE TRIGGER renumbering_is_told AFTER UPDATE OF number ON sales.articles FOR EACH ROW WHEN ((old.number IS DISTINCT FROM new.number)) EXECUTE FUNCTION events.note_removed('artiklar', 'number');
alter table sales.articles enable row level security;
create policy people_read on sales.articles for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.articles to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.articles to hb_worker using (true);

create table sales.collection_cases (
  invoice_id uuid not null,
  content_sha256 bytea not null,
  prepared_at timestamp with time zone not null,
  constraint collection_cases_hash_length CHECK ((octet_length(content_sha256) = 32)),
  constraint collection_cases_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id),
  constraint collection_cases_pkey PRIMARY KEY (invoice_id, content_sha256)
);
CREATE TRIGGER collection_cases_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON sales.collection_cases FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
alter table sales.collection_cases enable row level security;
create policy people_read on sales.collection_cases for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.collection_cases to hb_app using (( SELECT app.may('read'::text) AS may));

create table sales.customer_revenues (
  customer_id uuid not null,
  net_ore bigint not null,
  constraint customer_revenues_customer_fkey FOREIGN KEY (customer_id) REFERENCES sales.customers(id),
  constraint customer_revenues_pkey PRIMARY KEY (customer_id)
) with (fillfactor=50);
CREATE INDEX customer_revenues_by_net ON sales.customer_revenues USING btree (net_ore DESC);
alter table sales.customer_revenues enable row level security;
create policy people_read on sales.customer_revenues for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on sales.customer_revenues to hb_worker using (true);

create table sales.customers (
  id uuid not null,
  name text not null,
  email text,
  organization_number text,
  vat_number text,
  country_code text not null default 'SE'::text,
  payment_terms_days integer,
  is_active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  address text,
  postal_code text,
  city text,
  phone text,
  agreed_rate_e2 integer,
  sort_name text collate "C" generated always as (translate(lower(name), 'ÅåÄäÆæÖöØøÉéÈèÁáÜü'::text, '{{||||}}}}eeeeaauu'::text)) stored,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  external_id text,
  constraint customers_address_length CHECK ((char_length(address) <= 200)),
  constraint customers_agreed_rate_range CHECK (((agreed_rate_e2 >= 0) AND (agreed_rate_e2 <= 10000))),
  constraint customers_city_length CHECK ((char_length(city) <= 100)),
  constraint customers_country_code_form CHECK ((country_code ~ '^[A-Z]{2}$'::text)),
  constraint customers_external_id_key UNIQUE (external_id),
  constraint customers_external_id_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
  constraint customers_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint customers_payment_terms_range CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 90))),
  constraint customers_phone_length CHECK ((char_length(phone) <= 50)),
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_postal_code_length CHECK ((char_length(postal_code) <= 20))
);
CREATE INDEX customers_by_email ON sales.customers USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX customers_by_name ON sales.customers USING btree (lower(name));
CREATE INDEX customers_by_organization_number ON sales.customers USING btree (organization_number) WHERE (organization_number IS NOT NULL);
CREATE INDEX customers_by_vat_number ON sales.customers USING btree (vat_number) WHERE (vat_number IS NOT NULL);
CREATE INDEX customers_in_order ON sales.customers USING btree (sort_name, id);
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON sales.customers FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER removals_are_told AFTER DELETE ON sales.customers FOR EACH ROW EXECUTE FUNCTION events.note_removed('kunder', 'id');
CREATE TRIGGER times_are_real BEFORE INSERT OR UPDATE OF created_at ON sales.customers FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_time();
alter table sales.customers enable row level security;
create policy people_read on sales.customers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.customers to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.customers to hb_worker using (true);

create table sales.day_invoices (
  day date not null,
  invoices bigint not null,
  constraint day_invoices_pkey PRIMARY KEY (day)
) with (fillfactor=50);
alter table sales.day_invoices enable row level security;
create policy people_read on sales.day_invoices for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on sales.day_invoices to hb_worker using (true);

create table sales.disputes (
  invoice_id uuid not null,
  reason text not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint disputes_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id),
  constraint disputes_pkey PRIMARY KEY (invoice_id),
  constraint disputes_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON sales.disputes FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table sales.disputes enable row level security;
create policy people_read on sales.disputes for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.disputes to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.disputes to hb_worker using (true);

create table sales.invoice_numbers (
  singleton boolean not null default true,
  last_number integer not null default 1000,
  constraint invoice_numbers_is_single CHECK (singleton),
  constraint invoice_numbers_pkey PRIMARY KEY (singleton)
);
alter table sales.invoice_numbers enable row level security;
create policy people_read on sales.invoice_numbers for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on sales.invoice_numbers to hb_worker using (true);

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
  unit text,
  discount_e2 bigint not null default 0,
  is_price_reduction boolean,
  oss_country text,
  oss_rate_e2 integer,
  oss_supply text,
  currency_net bigint,
  currency_vat bigint,
  constraint invoice_rows_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint invoice_rows_bear_one_vat CHECK (((oss_country IS NULL) OR (vat_rate = 0))),
  constraint invoice_rows_currency_is_whole CHECK (((currency_net IS NULL) = (currency_vat IS NULL))),
  constraint invoice_rows_description_length CHECK (((char_length(description) >= 1) AND (char_length(description) <= 500))),
  constraint invoice_rows_discount_range CHECK (((discount_e2 >= 0) AND (discount_e2 <= 10000))),
  constraint invoice_rows_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id) ON DELETE CASCADE,
  constraint invoice_rows_oss_country_form CHECK (((oss_country ~ '^[A-Z]{2}$'::text) AND (oss_country <> 'SE'::text))),
  constraint invoice_rows_oss_is_whole CHECK ((num_nulls(oss_country, oss_rate_e2, oss_supply) = ANY (ARRAY[0, 3]))),
  constraint invoice_rows_oss_rate_range CHECK (((oss_rate_e2 >= 101) AND (oss_rate_e2 <= 5000))),
  constraint invoice_rows_oss_supply_known CHECK ((oss_supply = ANY (ARRAY['goods'::text, 'services'::text]))),
  constraint invoice_rows_pkey PRIMARY KEY (invoice_id, row_no),
  constraint invoice_rows_unit_form CHECK (((char_length(unit) >= 1) AND (char_length(unit) <= 20) AND (unit !~ '[[:cntrl:]]'::text))),
  constraint invoice_rows_vat_rate_known CHECK ((vat_rate = ANY (ARRAY[0, 6, 12, 25])))
);
CREATE INDEX invoice_rows_by_article ON sales.invoice_rows USING btree (article_number) WHERE (article_number IS NOT NULL);
CREATE INDEX invoice_rows_with_foreign_vat ON sales.invoice_rows USING btree (invoice_id) WHERE (oss_country IS NOT NULL);
CREATE TRIGGER invoice_rows_are_frozen BEFORE DELETE OR UPDATE ON sales.invoice_rows FOR EACH ROW EXECUTE FUNCTION sales.freeze_booked_rows();
CREATE TRIGGER invoice_rows_are_never_emptied BEFORE TRUNCATE ON sales.invoice_rows FOR EACH STATEMENT EXECUTE FUNCTION sales.freeze_booked_rows();
CREATE TRIGGER invoice_rows_join_drafts AFTER INSERT ON sales.invoice_rows REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.check_new_rows();
alter table sales.invoice_rows enable row level security;
create policy people_read on sales.invoice_rows for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.invoice_rows to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.invoice_rows to hb_worker using (true);

create table sales.invoices (
  id uuid not null,
  status text not null default 'draft'::text,
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
  booked_at timestamp with time zone,
  booking_refusal jsonb,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  kind text not null default 'invoice'::text,
  credited_invoice_id uuid,
  open_ore bigint not null default 0,
  agreed_rate_e2 integer,
  interest_from text not null default 'due_date'::text,
  interest_is_stated boolean not null default true,
  reminder_fee_is_agreed boolean not null default false,
  effective_date date,
  vat_confirmed_by text,
  debtor_filled text[] not null default '{}'::text[],
  original_total_ore bigint,
  delivery_date date,
  updated_at timestamp with time zone not null default 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN clock_timestamp()
    ELSE NULL::timestamp with time zone
END,
  currency text not null default 'SEK'::text,
  exchange_rate_e6 bigint,
  currency_rounding bigint not null default 0,
  constraint invoices_amount_is_posted CHECK (((status = 'draft'::text) OR (voucher_id IS NOT NULL) OR (total_ore = 0) OR (source = 'opening'::text))),
  constraint invoices_booked_is_complete CHECK ((((status = 'draft'::text) AND (number IS NULL) AND (ocr IS NULL) AND (voucher_id IS NULL)) OR ((status <> 'draft'::text) AND (number IS NOT NULL) AND (ocr IS NOT NULL) AND (booked_at IS NOT NULL)))),
  constraint invoices_credit_note_names_its_invoice CHECK (((kind = 'credit_note'::text) = (credited_invoice_id IS NOT NULL))),
  constraint invoices_credit_note_takes_effect CHECK (((kind = 'credit_note'::text) = (effective_date IS NOT NULL))),
  constraint invoices_credited_invoice_fkey FOREIGN KEY (credited_invoice_id) REFERENCES sales.invoices(id),
  constraint invoices_currency_form CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint invoices_currency_has_its_rate CHECK (((currency = 'SEK'::text) = (exchange_rate_e6 IS NULL))),
  constraint invoices_customer_fkey FOREIGN KEY (customer_id) REFERENCES sales.customers(id),
  constraint invoices_debtor_is_an_object CHECK ((jsonb_typeof(debtor) = 'object'::text)),
  constraint invoices_exchange_rate_range CHECK (((exchange_rate_e6 >= 1) AND (exchange_rate_e6 <= '9999999999999999'::bigint))),
  constraint invoices_interest_from_known CHECK ((interest_from = ANY (ARRAY['due_date'::text, 'demand'::text]))),
  constraint invoices_kind_known CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint invoices_kronor_are_rounded_as_kronor CHECK (((currency <> 'SEK'::text) OR (currency_rounding = 0))),
  constraint invoices_number_key UNIQUE (number),
  constraint invoices_only_booked_are_open CHECK (((open_ore = 0) OR ((status <> 'draft'::text) AND (kind = 'invoice'::text)))),
  constraint invoices_only_orders_are_filled CHECK (((source = 'order'::text) OR (debtor_filled = '{}'::text[]))),
  constraint invoices_opening_is_open CHECK (((source <> 'opening'::text) OR ((status <> 'draft'::text) AND (kind = 'invoice'::text) AND (voucher_id IS NULL) AND (total_ore > 0)))),
  constraint invoices_original_total CHECK (((original_total_ore IS NULL) OR ((source = 'opening'::text) AND (original_total_ore > total_ore)))),
  constraint invoices_other_currency_is_of_orders CHECK (((currency = 'SEK'::text) OR (source = ANY (ARRAY['order'::text, 'app'::text])))),
  constraint invoices_payment_terms_range CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 90))),
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_source_known CHECK ((source = ANY (ARRAY['order'::text, 'api'::text, 'app'::text, 'opening'::text]))),
  constraint invoices_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'booked'::text, 'paid'::text, 'credited'::text]))),
  constraint invoices_total_not_negative CHECK (((total_ore >= 0) AND (total_ore <= '999999999999'::bigint))),
  constraint invoices_totals_add_up CHECK ((total_ore = ((net_ore + vat_ore) + rounding_ore))),
  constraint invoices_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id),
  constraint invoices_voucher_key UNIQUE (voucher_id)
);
CREATE INDEX invoices_by_change ON sales.invoices USING btree (updated_at);
CREATE INDEX invoices_by_customer ON sales.invoices USING btree (customer_id, invoice_date);
CREATE INDEX invoices_by_day ON sales.invoices USING btree (invoice_date, id);
CREATE INDEX invoices_by_debtor ON sales.invoices USING btree (lower((debtor ->> 'name'::text)) text_pattern_ops);
CREATE INDEX invoices_by_status ON sales.invoices USING btree (status, invoice_date);
CREATE INDEX invoices_credited ON sales.invoices USING btree (invoice_date, id) WHERE ((status = 'credited'::text) OR (kind = 'credit_note'::text));
CREATE INDEX invoices_credits ON sales.invoices USING btree (credited_invoice_id) WHERE (credited_invoice_id IS NOT NULL);
CREATE INDEX invoices_open ON sales.invoices USING btree (due_date) INCLUDE (open_ore) WHERE (open_ore <> 0);
CREATE INDEX invoices_open_by_customer ON sales.invoices USING btree (customer_id) INCLUDE (open_ore, due_date) WHERE (open_ore <> 0);
CREATE INDEX invoices_opening ON sales.invoices USING btree (number) WHERE (source = 'opening'::text);
CREATE TRIGGER changes_are_stamped BEFORE INSERT OR UPDATE ON sales.invoices FOR EACH ROW EXECUTE FUNCTION audit.stamp_change();
CREATE TRIGGER credit_notes_are_judged BEFORE INSERT OR UPDATE OF invoice_date, effective_date, credited_invoice_id ON sales.invoices FOR EACH ROW WHEN ((new.credited_invoice_id IS NOT NULL)) EXECUTE FUNCTION sales.judge_credit_note();
CREATE TRIGGER drafts_say_where_they_came_from BEFORE INSERT OR UPDATE OF source ON sales.invoices FOR EACH ROW WHEN (((CURRENT_USER = SESSION_USER) AND (((SESSION_USER = 'hb_app'::name) AND (new.source <> 'app'::text)) OR ((SESSION_USER = 'hb_worker'::name) AND (new.source <> 'order'::text))))) EXECUTE FUNCTION sales.judge_source();
CREATE TRIGGER invoices_are_frozen BEFORE DELETE OR UPDATE ON sales.invoices FOR EACH ROW EXECUTE FUNCTION sales.freeze_booked_invoice();
CREATE TRIGGER invoices_are_never_emptied BEFORE TRUNCATE ON sales.invoices FOR EACH STATEMENT EXECUTE FUNCTION sales.freeze_booked_invoice();
CREATE TRIGGER invoices_sum_booked AFTER UPDATE ON sales.invoices REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sales.sum_booked();
CREATE TRIGGER invoices_tell_drafted AFTER INSERT ON sales.invoices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION events.note_new_invoices();
CREATE TRIGGER invoices_tell_status AFTER UPDATE ON sales.invoices REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION events.note_invoice_status();
CREATE TRIGGER invoices_wake_refunds AFTER UPDATE ON sales.invoices REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION intake.wake_refunds();
CREATE TRIGGER invoices_without_voucher_are_judged BEFORE UPDATE ON sales.invoices FOR EACH ROW WHEN (((old.status = 'draft'::text) AND (new.status <> 'draft'::text) AND (new.voucher_id IS NULL))) EXECUTE FUNCTION sales.judge_unposted();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE OF created_by, created_at ON sales.invoices FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER people_confirm BEFORE INSERT OR UPDATE OF vat_confirmed_by ON sales.invoices FOR EACH ROW WHEN (((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name])) AND (new.vat_confirmed_by IS NOT NULL))) EXECUTE FUNCTION sales.stamp_confirmation();
CREATE TRIGGER people_keep_books BEFORE INSERT OR UPDATE ON sales.invoices FOR EACH STATEMENT WHEN ((SESSION_USER = 'hb_app'::name)) EXECUTE FUNCTION app.require_right('keep_books');
CREATE TRIGGER removals_are_told AFTER DELETE ON sales.invoices FOR EACH ROW EXECUTE FUNCTION events.note_removed('kundfakturor', 'id');
alter table sales.invoices enable row level security;
create policy people_read on sales.invoices for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.invoices to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.invoices to hb_worker using (true);

create table sales.mails (
  id uuid not null,
  invoice_id uuid not null,
  kind text not null,
  reminder_no integer,
  sender_name text not null,
  sender text not null,
  reply_to text,
  recipients text[] not null,
  subject text not null,
  body text not null,
  page_sha256 bytea not null,
  file_name text not null,
  message_id text not null,
  state text not null default 'queued'::text,
  attempts integer not null default 0,
  attempted_at timestamp with time zone,
  delivered_to text[] not null default '{}'::text[],
  last_error text,
  sent_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  unanswered integer not null default 0,
  constraint mails_attempts_not_negative CHECK ((attempts >= 0)),
  constraint mails_body_length CHECK (((char_length(body) >= 1) AND (char_length(body) <= 10000))),
  constraint mails_delivered_to_recipients CHECK ((delivered_to <@ recipients)),
  constraint mails_error_length CHECK ((char_length(last_error) <= 500)),
  constraint mails_failed_has_a_reason CHECK (((state <> 'failed'::text) OR (last_error IS NOT NULL))),
  constraint mails_headers_are_lines CHECK ((concat_ws(' '::text, sender_name, sender, reply_to, (recipients)::text, subject, file_name, message_id) !~ '[[:cntrl:]]'::text)),
  constraint mails_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id),
  constraint mails_kind_known CHECK ((kind = ANY (ARRAY['invoice'::text, 'reminder'::text]))),
  constraint mails_message_id_form CHECK ((message_id ~ '^<[^<>[:space:]@]+@[^<>[:space:]@]+>$'::text)),
  constraint mails_message_id_key UNIQUE (message_id),
  constraint mails_page_fkey FOREIGN KEY (page_sha256) REFERENCES archive.pages(sha256),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_recipients_count CHECK (((cardinality(recipients) >= 1) AND (cardinality(recipients) <= 5))),
  constraint mails_reminder_fkey FOREIGN KEY (invoice_id, reminder_no) REFERENCES sales.reminders(invoice_id, reminder_no),
  constraint mails_reminder_is_named CHECK (((kind = 'reminder'::text) = (reminder_no IS NOT NULL))),
  constraint mails_sent_has_a_time CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL))),
  constraint mails_sent_is_to_all CHECK (((state <> 'sent'::text) OR (delivered_to @> recipients))),
  constraint mails_state_known CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text]))),
  constraint mails_subject_length CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 200))),
  constraint mails_unanswered_are_attempts CHECK (((unanswered >= 0) AND (unanswered <= attempts)))
);
CREATE INDEX mails_by_invoice ON sales.mails USING btree (invoice_id, created_at, id);
CREATE INDEX mails_by_page ON sales.mails USING btree (page_sha256);
CREATE TRIGGER mails_are_kept BEFORE UPDATE ON sales.mails FOR EACH ROW EXECUTE FUNCTION sales.keep_mail();
CREATE TRIGGER mails_are_never_removed BEFORE DELETE OR TRUNCATE ON sales.mails FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON sales.mails FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table sales.mails enable row level security;
create policy people_read on sales.mails for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_send_again on sales.mails for update to hb_app using ((( SELECT app.may('keep_books'::text) AS may) AND (state = 'failed'::text))) with check ((( SELECT app.may('keep_books'::text) AS may) AND (state = 'queued'::text)));
create policy people_write on sales.mails for insert to hb_app with check ((( SELECT app.may('keep_books'::text) AS may) AND (state = 'queued'::text) AND (attempts = 0)));
create policy workers_work on sales.mails to hb_worker using (true);

create table sales.order_payments (
  invoice_id uuid not null,
  place integer not null,
  method text not null,
  account integer not null,
  amount_ore bigint not null,
  tip_ore bigint not null default 0,
  tip_account integer,
  payment_date date not null,
  reference text,
  voucher_id uuid,
  refusal jsonb,
  constraint order_payments_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint order_payments_amount_range CHECK (((amount_ore >= 1) AND (amount_ore <= '999999999999'::bigint))),
  constraint order_payments_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id) ON DELETE CASCADE,
  constraint order_payments_method_length CHECK (((char_length(method) >= 1) AND (char_length(method) <= 50))),
  constraint order_payments_pkey PRIMARY KEY (invoice_id, place),
  constraint order_payments_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200))),
  constraint order_payments_settled_or_refused CHECK (((voucher_id IS NULL) OR (refusal IS NULL))),
  constraint order_payments_tip_account_fkey FOREIGN KEY (tip_account) REFERENCES ledger.accounts(number),
  constraint order_payments_tip_within CHECK (((tip_ore >= 0) AND (tip_ore <= amount_ore) AND ((tip_ore = 0) OR (tip_account IS NOT NULL)))),
  constraint order_payments_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE TRIGGER order_payments_are_kept BEFORE DELETE OR UPDATE ON sales.order_payments FOR EACH ROW EXECUTE FUNCTION sales.keep_order_payment();
CREATE TRIGGER order_payments_are_never_emptied BEFORE TRUNCATE ON sales.order_payments FOR EACH STATEMENT EXECUTE FUNCTION sales.keep_order_payment();
CREATE TRIGGER order_payments_come_with_drafts AFTER INSERT ON sales.order_payments FOR EACH ROW EXECUTE FUNCTION sales.keep_order_payment();
alter table sales.order_payments enable row level security;
create policy people_read on sales.order_payments for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on sales.order_payments to hb_worker using (true);

create table sales.payments (
  id uuid not null,
  invoice_id uuid not null,
  payment_date date not null,
  amount_ore bigint not null,
  account integer not null,
  voucher_id uuid not null,
  reference text,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  kind text not null default 'money'::text,
  constraint payments_account_fkey FOREIGN KEY (account) REFERENCES ledger.accounts(number),
  constraint payments_amount_range CHECK (((amount_ore <> 0) AND ((amount_ore >= '-999999999999'::bigint) AND (amount_ore <= '999999999999'::bigint)))),
  constraint payments_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id),
  constraint payments_kind_is_of_account CHECK (((kind = 'money'::text) OR (kind = COALESCE(
CASE kind
    WHEN 'set_off'::text THEN
    CASE account
        WHEN 2440 THEN 'set_off'::text
        ELSE NULL::text
    END
    ELSE sales.settlement_kind(account)
END, ''::text)))),
  constraint payments_pkey PRIMARY KEY (id),
  constraint payments_reference_length CHECK ((char_length(reference) <= 200)),
  constraint payments_rounding_is_small CHECK (((kind <> 'rounding'::text) OR ((amount_ore >= '-99'::integer) AND (amount_ore <= 99)))),
  constraint payments_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX payments_by_invoice ON sales.payments USING btree (invoice_id);
CREATE INDEX payments_by_voucher ON sales.payments USING btree (voucher_id);
CREATE TRIGGER documents_are_held AFTER INSERT ON sales.payments FOR EACH ROW WHEN ((new.kind = 'set_off'::text)) EXECUTE FUNCTION bank.hold_documents_of('voucher_id');
CREATE TRIGGER payments_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON sales.payments FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
CREATE TRIGGER payments_are_judged AFTER INSERT ON sales.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.judge_payments();
CREATE TRIGGER payments_have_a_payments_voucher AFTER INSERT ON sales.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.judge_payment_vouchers();
CREATE TRIGGER payments_have_their_voucher AFTER INSERT ON sales.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.judge_booked_payments();
CREATE TRIGGER payments_settle AFTER INSERT ON sales.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.settle_added();
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON sales.payments FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table sales.payments enable row level security;
create policy people_read on sales.payments for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.payments to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.payments to hb_worker using (true);

create table sales.receivable_changes (
  series_id uuid not null,
  month date not null,
  ore bigint not null,
  constraint receivable_changes_pkey PRIMARY KEY (month, series_id),
  constraint receivable_changes_series_fkey FOREIGN KEY (series_id) REFERENCES ledger.series(id)
) with (fillfactor=50);
alter table sales.receivable_changes enable row level security;
create policy people_read on sales.receivable_changes for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on sales.receivable_changes to hb_worker using (true);

create table sales.receivables (
  singleton boolean not null default true,
  open_ore bigint not null,
  constraint receivables_is_single CHECK (singleton),
  constraint receivables_pkey PRIMARY KEY (singleton)
) with (fillfactor=50);
alter table sales.receivables enable row level security;
create policy people_read on sales.receivables for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy workers_work on sales.receivables to hb_worker using (true);

create table sales.recurred_invoices (
  recurring_id uuid not null,
  due_on date not null,
  invoice_id uuid,
  created_at timestamp with time zone not null default now(),
  constraint recurred_invoices_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id) ON DELETE SET NULL,
  constraint recurred_invoices_invoice_key UNIQUE (invoice_id),
  constraint recurred_invoices_pkey PRIMARY KEY (recurring_id, due_on),
  constraint recurred_invoices_recurring_fkey FOREIGN KEY (recurring_id) REFERENCES sales.recurring_invoices(id)
);
alter table sales.recurred_invoices enable row level security;
create policy people_read on sales.recurred_invoices for select to hb_app using (( SELECT app.may('read'::text) AS may));

create table sales.recurring_invoices (
  id uuid not null,
  customer_id uuid not null,
  anchor date not null,
  unit text not null,
  every integer not null,
  made integer not null default 0,
  next_date date,
  last_date date,
  becomes text not null,
  payment_terms_days integer not null,
  your_reference text,
  notes text,
  rows jsonb not null,
  vat_confirmed_by text,
  problems jsonb,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint recurring_invoices_becomes_known CHECK ((becomes = ANY (ARRAY['draft'::text, 'booked'::text, 'mailed'::text]))),
  constraint recurring_invoices_customer_fkey FOREIGN KEY (customer_id) REFERENCES sales.customers(id),
  constraint recurring_invoices_days CHECK (((next_date >= anchor) AND (next_date <= COALESCE(last_date, 'infinity'::date)) AND isfinite(anchor) AND isfinite(next_date))),
  constraint recurring_invoices_every_range CHECK (((every >= 1) AND (every <= 24))),
  constraint recurring_invoices_made_not_negative CHECK ((made >= 0)),
  constraint recurring_invoices_notes_length CHECK ((char_length(notes) <= 5000)),
  constraint recurring_invoices_payment_terms_range CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 90))),
  constraint recurring_invoices_pkey PRIMARY KEY (id),
  constraint recurring_invoices_problems_shape CHECK (((jsonb_typeof(problems) = 'array'::text) AND (octet_length((problems)::text) <= 100000))),
  constraint recurring_invoices_rows_shape CHECK (((jsonb_typeof(rows) = 'array'::text) AND (octet_length((rows)::text) <= 1000000))),
  constraint recurring_invoices_unit_known CHECK ((unit = ANY (ARRAY['week'::text, 'month'::text]))),
  constraint recurring_invoices_your_reference_length CHECK ((char_length(your_reference) <= 200))
);
CREATE INDEX recurring_invoices_by_customer ON sales.recurring_invoices USING btree (customer_id);
CREATE INDEX recurring_invoices_due ON sales.recurring_invoices USING btree (next_date) WHERE (next_date IS NOT NULL);
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE OF created_by, created_at ON sales.recurring_invoices FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER people_confirm BEFORE INSERT OR UPDATE OF vat_confirmed_by ON sales.recurring_invoices FOR EACH ROW WHEN (((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name])) AND (new.vat_confirmed_by IS NOT NULL))) EXECUTE FUNCTION sales.stamp_confirmation();
alter table sales.recurring_invoices enable row level security;
create policy people_read on sales.recurring_invoices for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.recurring_invoices to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table sales.reference_rates (
  valid_from date not null,
  valid_to date not null,
  percent_e2 integer not null,
  sfs text,
  constraint reference_rates_do_not_overlap EXCLUDE USING gist (daterange(valid_from, valid_to, '[]'::text) WITH &&),
  constraint reference_rates_pkey PRIMARY KEY (valid_from),
  constraint reference_rates_span CHECK ((valid_to > valid_from))
);
CREATE CONSTRAINT TRIGGER changes_are_written_down AFTER INSERT OR DELETE OR UPDATE ON sales.reference_rates DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit.require_event('^(reference_rate|company)\.');
alter table sales.reference_rates enable row level security;
create policy people_read on sales.reference_rates for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.reference_rates to hb_app using (( SELECT app.may('administer'::text) AS may));
create policy workers_work on sales.reference_rates to hb_worker using (true);

create table sales.reminder_pauses (
  invoice_id uuid not null,
  kind text not null,
  last_day date not null,
  reason text,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint reminder_pauses_day_is_finite CHECK (isfinite(last_day)),
  constraint reminder_pauses_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id),
  constraint reminder_pauses_kind_known CHECK ((kind = ANY (ARRAY['promise'::text, 'pause'::text]))),
  constraint reminder_pauses_pkey PRIMARY KEY (invoice_id),
  constraint reminder_pauses_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON sales.reminder_pauses FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
alter table sales.reminder_pauses enable row level security;
create policy people_read on sales.reminder_pauses for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.reminder_pauses to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table sales.reminder_runs (
  id uuid not null,
  run_on date not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint reminder_runs_pkey PRIMARY KEY (id)
);
CREATE INDEX reminder_runs_by_time ON sales.reminder_runs USING btree (created_at DESC);
CREATE TRIGGER people_are_named BEFORE INSERT ON sales.reminder_runs FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER reminder_runs_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON sales.reminder_runs FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
alter table sales.reminder_runs enable row level security;
create policy people_read on sales.reminder_runs for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.reminder_runs to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table sales.reminders (
  id uuid not null,
  invoice_id uuid not null,
  reminder_no integer not null,
  sent_date date not null,
  fee_ore bigint not null,
  voucher_id uuid,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  fee_is_vouched_for boolean not null default false,
  constraint reminders_fee_is_posted CHECK (((fee_ore > 0) = (voucher_id IS NOT NULL))),
  constraint reminders_fee_range CHECK (((fee_ore >= 0) AND (fee_ore <= 6000))),
  constraint reminders_invoice_fkey FOREIGN KEY (invoice_id) REFERENCES sales.invoices(id),
  constraint reminders_number_key UNIQUE (invoice_id, reminder_no),
  constraint reminders_number_positive CHECK ((reminder_no > 0)),
  constraint reminders_pkey PRIMARY KEY (id),
  constraint reminders_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX reminders_by_voucher ON sales.reminders USING btree (voucher_id) WHERE (voucher_id IS NOT NULL);
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON sales.reminders FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER reminders_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON sales.reminders FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
CREATE TRIGGER reminders_are_judged AFTER INSERT ON sales.reminders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.judge_reminders();
CREATE TRIGGER reminders_settle AFTER INSERT ON sales.reminders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.settle_added();
alter table sales.reminders enable row level security;
create policy people_read on sales.reminders for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.reminders to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.reminders to hb_worker using (true);

create table sales.run_reminders (
  run_id uuid not null,
  invoice_id uuid not null,
  reminder_no integer not null,
  channel text not null,
  constraint run_reminders_channel_known CHECK ((channel = ANY (ARRAY['mail'::text, 'paper'::text]))),
  constraint run_reminders_pkey PRIMARY KEY (run_id, invoice_id),
  constraint run_reminders_reminder_fkey FOREIGN KEY (invoice_id, reminder_no) REFERENCES sales.reminders(invoice_id, reminder_no),
  constraint run_reminders_reminder_key UNIQUE (invoice_id, reminder_no),
  constraint run_reminders_run_fkey FOREIGN KEY (run_id) REFERENCES sales.reminder_runs(id)
);
CREATE TRIGGER run_reminders_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON sales.run_reminders FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
alter table sales.run_reminders enable row level security;
create policy people_read on sales.run_reminders for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.run_reminders to hb_app using (( SELECT app.may('keep_books'::text) AS may));

create table sales.withdrawn_fees (
  invoice_id uuid not null,
  reminder_no integer not null,
  withdrawn_on date not null,
  reason text,
  voucher_id uuid not null,
  created_at timestamp with time zone not null default now(),
  created_by text not null,
  constraint withdrawn_fees_pkey PRIMARY KEY (invoice_id, reminder_no),
  constraint withdrawn_fees_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint withdrawn_fees_reminder_fkey FOREIGN KEY (invoice_id, reminder_no) REFERENCES sales.reminders(invoice_id, reminder_no),
  constraint withdrawn_fees_voucher_fkey FOREIGN KEY (voucher_id) REFERENCES ledger.vouchers(id)
);
CREATE INDEX withdrawn_fees_by_voucher ON sales.withdrawn_fees USING btree (voucher_id);
CREATE TRIGGER people_are_named BEFORE INSERT OR UPDATE ON sales.withdrawn_fees FOR EACH ROW WHEN ((SESSION_USER = ANY (ARRAY['hb_app'::name, 'hb_worker'::name]))) EXECUTE FUNCTION audit.stamp_created();
CREATE TRIGGER withdrawn_fees_are_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON sales.withdrawn_fees FOR EACH STATEMENT EXECUTE FUNCTION sales.refuse_change();
CREATE TRIGGER withdrawn_fees_are_judged AFTER INSERT ON sales.withdrawn_fees REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.judge_withdrawn_fees();
CREATE TRIGGER withdrawn_fees_settle AFTER INSERT ON sales.withdrawn_fees REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sales.settle_added();
alter table sales.withdrawn_fees enable row level security;
create policy people_read on sales.withdrawn_fees for select to hb_app using (( SELECT app.may('read'::text) AS may));
create policy people_write on sales.withdrawn_fees to hb_app using (( SELECT app.may('keep_books'::text) AS may));
create policy workers_work on sales.withdrawn_fees to hb_worker using (true);

-- function agency.aggregate(p_token_hash bytea, p_today date, p_time_zone text) returns TABLE(outcome text, answer jsonb) security definer stable set search_path=pg_catalog, pg_temp: ce9b547d57290a22

-- function agency.count_call(p_address inet, p_route text) returns TABLE(used bigint, seconds_left integer) security definer set search_path=pg_catalog, pg_temp: c91b221e002818e2

-- function agency.create_token(p_key_hash bytea, p_token_hash bytea, p_seconds integer) returns bigint security definer set search_path=pg_catalog, pg_temp: 1e914692c4d329d5

-- function agency.find_key(p_hash bytea) returns TABLE(outcome text, agency text) security definer stable set search_path=pg_catalog, pg_temp: a0e12375050de714

-- function api.admit(p_hash bytea[], p_scopes text[]) returns TABLE(item integer, outcome text, key_id uuid, name text, scopes text[], quota integer, used bigint, seconds_left integer) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: c8eb874849488305

-- function api.changes_complete_until() returns timestamp with time zone security definer stable set search_path=pg_catalog, pg_temp: 53e01199cce30bd1

-- function api.check_voucher(p_payload jsonb) returns jsonb security definer set search_path=pg_catalog, pg_temp: 3fc9636974cb61cc

-- function api.count_ahead(p_hash bytea, p_calls integer) returns TABLE(key_id uuid, name text, scopes text[], quota integer, calls integer, used bigint, opened_at timestamp with time zone, seconds_left double precision) security definer set search_path=pg_catalog, pg_temp: b87c999a343a82d6

-- function api.count_further(p_hash bytea, p_calls integer) returns TABLE(is_within boolean, quota integer, used bigint, seconds_left integer) security definer set search_path=pg_catalog, pg_temp: 84108bea15f10701

-- function api.create_invoices(p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[], p_request_id uuid[], p_id uuid[], p_customer_id uuid[], p_invoice_date date[], p_delivery_date date[], p_due_date date[], p_payment_terms_days integer[], p_your_reference text[], p_notes text[], p_net bigint[], p_vat bigint[], p_book boolean[], p_voucher_id uuid[], p_rows jsonb[], p_post_item integer[], p_post_no integer[], p_post_account integer[], p_post_debit bigint[], p_post_credit bigint[], p_dry_run boolean) returns TABLE(item integer, outcome text, id uuid, told jsonb, detail jsonb, first_request_id uuid, first_seen_at timestamp with time zone, first_request text) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 777750d0c34770f1

-- function api.daily_statistics(p_from date, p_to date) returns TABLE(day date, revenue_ore bigint, invoices bigint, unpaid_ore bigint) security definer stable set search_path=pg_catalog, pg_temp: 0483096b71fe8055

-- function api.e_invoice_outcomes(p_hash bytea[], p_id uuid[]) returns TABLE(item integer, refusal text, id uuid, status text, reason text, detail jsonb, answer jsonb) security definer stable set search_path=pg_catalog, pg_temp: e1ee889ae1fc7f79

-- function api.find_document(p_id uuid) returns TABLE(kind text, file_name text, media_type text, size integer, sha256 bytea) security definer stable set search_path=pg_catalog, pg_temp: 942f45c881417010

-- function api.first_bodies(p_hash bytea[], p_order_id uuid[]) returns TABLE(item integer, refusal text, body bytea) security definer stable set search_path=pg_catalog, pg_temp: ef4e88c39662fe3b

-- function api.installation() returns TABLE(schema_version integer, vat_period text, vat_large_taxpayer boolean, vat_yearly text, vat_digital boolean, vouchers bigint, head_hash bytea) security definer stable set search_path=pg_catalog, pg_temp: 04744c67332bc1a1

-- function api.invoice_document(p_id uuid) returns jsonb security definer stable set search_path=pg_catalog, pg_temp: 413139ca22cb23ec

-- function api.is_oss_on() returns boolean security definer stable set search_path=pg_catalog, pg_temp: f2769d1408cd7dc3

-- function api.last_backup() returns TABLE(taken_at timestamp with time zone, finished_at timestamp with time zone, size_bytes bigint, verified_at timestamp with time zone, problems integer, has_failed boolean) security definer stable set search_path=pg_catalog, pg_temp: 3b0a7243ec539453

-- function api.last_verification() returns TABLE(finished_at timestamp with time zone, problems integer) security definer stable set search_path=pg_catalog, pg_temp: a97b6988fdaa3de2

-- function api.latest_event_place() returns TABLE(epoch integer, run bigint, xid text, seq bigint) security definer stable set search_path=pg_catalog, pg_temp: daddbaefe2d65ae8

-- function api.list_accounts(p_numbers integer[], p_updated_since timestamp with time zone, p_is_active boolean, p_after integer, p_limit integer) returns TABLE(number integer, name text, type text, vat_code text, vat_rate integer, sru text, is_active boolean, updated_at timestamp with time zone) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: e56047f117e75261

-- function api.list_articles(p_numbers text[], p_updated_since timestamp with time zone, p_is_active boolean, p_after text, p_limit integer, p_external_ids text[] DEFAULT NULL::text[]) returns TABLE(number text, description text, supply text, account integer, unit_price_e4 bigint, unit text, is_active boolean, updated_at timestamp with time zone, external_id text) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: 1f4be1ca0f09b5da

-- function api.list_bank_rows(p_ledger_account integer, p_iban text, p_from date, p_to date, p_is_matched boolean, p_after_day date, p_after_id uuid, p_limit integer, p_payments integer, p_updated_since timestamp with time zone) returns TABLE(id uuid, account integer, iban text, booked_on date, value_date date, amount_ore bigint, description text, bank_reference text, servicer_reference text, balance_after_ore bigint, voucher_id uuid, voucher text, matched_at timestamp with time zone, created_at timestamp with time zone, payment_count integer, payments jsonb, updated_at timestamp with time zone) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: 980d3f4df0aa1e98

-- function api.list_bank_spans(p_account_id uuid, p_days date[]) returns TABLE(first_day date, last_day date, opening_ore bigint) security definer stable set search_path=pg_catalog, pg_temp: 393ee5b3f1b48e9f

-- function api.list_customers(p_ids uuid[], p_updated_since timestamp with time zone, p_is_active boolean, p_after uuid, p_limit integer, p_external_ids text[] DEFAULT NULL::text[]) returns TABLE(id uuid, name text, email text, organization_number text, vat_number text, address text, postal_code text, city text, country_code text, phone text, payment_terms_days integer, is_active boolean, created_at timestamp with time zone, updated_at timestamp with time zone, external_id text) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: 82c5563c91494300

-- function api.list_dimensions(p_ids uuid[], p_updated_since timestamp with time zone, p_is_active boolean, p_after uuid, p_limit integer, p_external_ids text[] DEFAULT NULL::text[]) returns TABLE(id uuid, kind text, code text, name text, is_active boolean, updated_at timestamp with time zone, external_id text) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: 8d688bda804ec8a2

-- function api.list_documents(p_vouchers uuid[], p_after_voucher uuid, p_after_id uuid, p_limit integer) returns TABLE(voucher_id uuid, id uuid, kind text, invoice_id uuid, purchase_id uuid, file_name text, media_type text, size integer, sha256 bytea, added_at timestamp with time zone) security definer stable set search_path=pg_catalog, pg_temp: 7abd93ce1a8915cf

-- function api.list_events(p_epoch integer, p_run bigint, p_xid text, p_seq bigint, p_limit integer) returns TABLE(epoch integer, run bigint, xid text, seq bigint, event jsonb) security definer stable set search_path=pg_catalog, pg_temp: d690972d6304e184

-- function api.list_invoices(p_ids uuid[], p_statuses text[], p_customers uuid[], p_identities text[], p_updated_since timestamp with time zone, p_after uuid, p_limit integer, p_refund_keys text[] DEFAULT NULL::text[]) returns TABLE(id uuid, kind text, status text, source text, number integer, ocr text, customer_id uuid, debtor jsonb, external_id text, refund_id text, credited_invoice_id uuid, invoice_date date, delivery_date date, due_date date, payment_terms_days integer, your_reference text, notes text, net_ore bigint, vat_ore bigint, rounding_ore bigint, total_ore bigint, fees_ore bigint, paid_ore bigint, credited_ore bigint, open_ore bigint, voucher_id uuid, currency text, exchange_rate_e6 bigint, currency_rounding bigint, created_at timestamp with time zone, updated_at timestamp with time zone, rows jsonb, payments jsonb, credit_notes jsonb, is_followed boolean) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: 12ca892a3a9e704f

-- function api.list_oss_sales(p_from date, p_to date) returns TABLE(posted_ore bigint, sales jsonb) security definer stable set search_path=pg_catalog, pg_temp: 6d6205c40517bba9

-- function api.list_proposals(p_id uuid, p_statuses text[], p_before uuid, p_limit integer) returns TABLE(id uuid, kind text, status text, payload jsonb, prose text, created_at timestamp with time zone, expires_at timestamp with time zone, decided_at timestamp with time zone, reason text, result_kind text, result_id uuid, moved text[]) security definer stable set search_path=pg_catalog, pg_temp: 5f2c8143a0c3285e

-- function api.list_provider_settlements(p_provider text, p_number text, p_from date, p_to date, p_is_paid boolean, p_after_day date, p_after_id uuid, p_limit integer) returns TABLE(id uuid, provider text, number text, day date, account integer, payout_ore bigint, payout_reference text, country text, voucher_id uuid, voucher text, payout_voucher_id uuid, payout_voucher text, is_taken_back boolean, created_at timestamp with time zone, lines jsonb) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: d02c9d6b031277ad

-- function api.list_purchases(p_ids uuid[], p_statuses text[], p_suppliers uuid[], p_numbers text[], p_updated_since timestamp with time zone, p_after uuid, p_limit integer) returns TABLE(id uuid, kind text, status text, is_by_hand boolean, is_outlay boolean, is_opening boolean, supplier_id uuid, seller_name text, seller_org_number text, seller_vat_number text, invoice_number text, issue_date date, due_date date, booking_date date, currency text, net_ore bigint, vat_ore bigint, rounding_ore bigint, prepaid_ore bigint, payable_ore bigint, paid_ore bigint, open_ore bigint, is_prepayment boolean, rejection text, voucher_id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, rows jsonb, payments jsonb, is_followed boolean) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: 9fd2439321277fc2

-- function api.list_stopped_orders(p_after uuid, p_limit integer) returns TABLE(id uuid, external_id text, received_at timestamp with time zone, reason text) security definer stable set search_path=pg_catalog, pg_temp: c1761aef0ee35039

-- function api.list_suppliers(p_ids uuid[], p_updated_since timestamp with time zone, p_is_active boolean, p_after uuid, p_limit integer, p_external_ids text[] DEFAULT NULL::text[]) returns TABLE(id uuid, name text, email text, organization_number text, vat_number text, endpoint text, address text, postal_code text, city text, country_code text, phone text, account integer, payment_days integer, is_active boolean, created_at timestamp with time zone, updated_at timestamp with time zone, external_id text) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: fd2c2b8121d42f39

-- function api.list_till_reports(p_ids uuid[], p_statuses text[], p_till_keys text[], p_z_numbers bigint[], p_from date, p_to date, p_updated_since timestamp with time zone, p_after uuid, p_limit integer) returns TABLE(id uuid, till text, z_number bigint, day date, status text, reason text, raw bytea, voucher_id uuid, received_at timestamp with time zone, updated_at timestamp with time zone, is_followed boolean) security definer stable set search_path=pg_catalog, pg_temp set plan_cache_mode=force_custom_plan: aac1348ea9b2ecdf

-- function api.look_at_bank_account(p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_ledger_account integer, p_iban text, p_days date[]) returns TABLE(outcome text, told jsonb, first_request_id uuid, first_seen_at timestamp with time zone, first_request text, account_id uuid, name text, ledger_account integer, iban text, days jsonb, rows jsonb) security definer set search_path=pg_catalog, pg_temp set lock_timeout=2s: cf386ce4704838cd

-- function api.look_at_call(p_route text, p_hash bytea, p_idempotency_key text, p_request_hash bytea) returns TABLE(outcome text, detail jsonb, first_request_id uuid, first_seen_at timestamp with time zone, first_request text) security definer set search_path=pg_catalog, pg_temp: 7d284f2a68dce030

-- function api.month_end(p_month date, p_today date, p_time_zone text) returns TABLE(is_acknowledged boolean, failing text[], open_month date, months_behind integer) security definer stable set search_path=pg_catalog, pg_temp: 44c4aa0cbabf7ed6

-- function api.monthly_statistics() returns jsonb security definer stable set search_path=pg_catalog, pg_temp: 93b29a30adcdd46a

-- function api.note_changed_order(p_hash bytea, p_order_id uuid, p_raw bytea, p_fields text[], p_request_id uuid) returns void security definer set search_path=pg_catalog, pg_temp: 3b7312a8e91b84c3

-- function api.order_outcomes(p_hash bytea[], p_order_id uuid[], p_attempt_id uuid[]) returns TABLE(item integer, refusal text, status text, order_id uuid, external_id text, invoice_id uuid, customer_id uuid, attempt_id uuid, reason text, detail jsonb) security definer stable set search_path=pg_catalog, pg_temp: 936d95ae358ce874

-- function api.overview_statistics(p_limit integer, p_today date) returns jsonb security definer stable set search_path=pg_catalog, pg_temp: 1a7dd5cc1ec0d22c

-- function api.post_vouchers(p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[], p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[], p_source text[], p_request_id uuid[], p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[], p_external_id text[], p_dry_run boolean, p_row_vat_code text[]) returns TABLE(item integer, outcome text, id uuid, number integer, detail jsonb, first_request_id uuid, first_seen_at timestamp with time zone, first_request text) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: defef1be8feb9548

-- function api.propose(p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_request_id uuid, p_id uuid, p_kind text, p_payload jsonb, p_prose text) returns TABLE(outcome text, id uuid, detail jsonb, first_request_id uuid, first_seen_at timestamp with time zone, first_request text) security definer set search_path=pg_catalog, pg_temp: 6623ca9ec7a57f14

-- function api.prove_writing() returns void security definer set search_path=pg_catalog, pg_temp: 1fba5f9da8e9f150

-- function api.read_document(p_id uuid, p_from integer, p_length integer) returns bytea security definer stable set search_path=pg_catalog, pg_temp: 0623d7823944349b

-- function api.reconcile_orders(p_identity text[], p_sha256 bytea[]) returns TABLE(identity text, sha256 text, status text, order_id uuid, invoice_id uuid, customer_id uuid, reason text, received_at timestamp with time zone) security definer stable set search_path=pg_catalog, pg_temp: e7045f9ccb923815

-- function api.reconcile_refunds(p_refund_key text[]) returns TABLE(refund_key text, external_id text, status text, reason text, invoice_id uuid, received_at timestamp with time zone) security definer stable set search_path=pg_catalog, pg_temp: 53bdab91a4412ded

-- function api.reconcile_till_reports(p_identity text[]) returns TABLE(identity text, status text, reason text, received_at timestamp with time zone) security definer stable set search_path=pg_catalog, pg_temp: 0a277c4dc870bf55

-- function api.record_calls(p_hash bytea[], p_called_at timestamp with time zone[], p_route text[], p_status integer[], p_code text[], p_duration_ms integer[], p_request_id uuid[]) returns void security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: c65d31bcdeb8a1c6

-- function api.require_key(p_scope text DEFAULT NULL::text) returns boolean security definer stable set search_path=pg_catalog, pg_temp: d93dfa5d77dc7107

-- function api.store_documents(p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[], p_request_id uuid[], p_id uuid[], p_sha256 bytea[], p_bytes bytea[], p_file_name text[], p_media_type text[], p_date date[], p_amount bigint[], p_counterparty text[]) returns TABLE(item integer, outcome text, id uuid, told jsonb, first_request_id uuid, first_seen_at timestamp with time zone, first_request text) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 26750b7003d02f3d

-- function api.store_e_invoices(p_hash bytea[], p_id uuid[], p_sha256 bytea[], p_raw bytea[], p_size bigint[], p_request_id uuid[], p_reason text[], p_detail jsonb[]) returns TABLE(item integer, outcome text, id uuid, is_new boolean) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 0b2d7423e7c84077

-- function api.store_received(p_hash bytea[], p_kind text[], p_identity text[], p_external_id text[], p_refund_key text[], p_order_identity text[], p_raw bytea[], p_sha256 bytea[], p_order_id uuid[], p_attempt_id uuid[], p_request_id uuid[]) returns TABLE(item integer, outcome text, order_id uuid, attempt_id uuid, is_new boolean) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 90241e806de67a6b

-- function api.store_till_reports(p_hash bytea[], p_identity text[], p_till text[], p_till_key text[], p_z_number bigint[], p_day date[], p_raw bytea[], p_sha256 bytea[], p_id uuid[], p_request_id uuid[]) returns TABLE(item integer, outcome text, is_known boolean) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: df69cd929d795539

-- function api.store_trials(p_hash bytea[], p_id uuid[], p_kind text[], p_raw bytea[]) returns TABLE(item integer, outcome text) security definer set search_path=pg_catalog, pg_temp: 67398d8b8ae67804

-- function api.take_bank_rows(p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_request text, p_request_id uuid, p_import_id uuid, p_account_id uuid, p_statement jsonb, p_rows jsonb, p_days jsonb, p_balances jsonb, p_told jsonb) returns void security definer set search_path=pg_catalog, pg_temp: c7ef59f49515de63

-- function api.take_provider_settlement(p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_request text, p_request_id uuid, p_settlement jsonb, p_lines jsonb, p_rows jsonb) returns TABLE(outcome text, id uuid, voucher_id uuid, voucher text, is_known boolean, detail jsonb, first_request_id uuid, first_seen_at timestamp with time zone, first_request text) security definer set search_path=pg_catalog, pg_temp: e9f9dae37c869ace

-- function api.trial_outcomes(p_hash bytea[], p_id uuid[]) returns TABLE(item integer, refusal text, trial jsonb) security definer set search_path=pg_catalog, pg_temp: 06dc6359625eb0f3

-- function api.uncount(p_hash bytea, p_calls integer, p_opened_at timestamp with time zone) returns void security definer set search_path=pg_catalog, pg_temp: bce865181e5691f5

-- function api.unreadable_tables() returns integer security definer stable set search_path=pg_catalog, pg_temp: 4dfbc0d784995dd4

-- function api.vat_return(p_start date, p_end date) returns TABLE(filed_on date, parts jsonb) security definer stable set search_path=pg_catalog, pg_temp: 7eca0f79258dd55c

-- function api.withdraw_proposal(p_hash bytea, p_id uuid) returns text security definer set search_path=pg_catalog, pg_temp: 5bce22b3df980525

-- function app.accept_invitation(p_invitation bytea, p_salt bytea, p_cost text, p_verifier bytea, p_hash bytea, p_previous bytea, p_address inet, p_agent text) returns text security definer set search_path=pg_catalog, pg_temp: 8031401b310918a6

-- function app.account_subject(p_email text) returns text immutable set search_path=pg_catalog, pg_temp: 2224dd23a30142bb

-- function app.actor_names(p_actors text[]) returns TABLE(actor text, name text) security definer stable set search_path=pg_catalog, pg_temp: 156ed3fa5952b768

-- function app.add_session(p_user_id uuid, p_hash bytea, p_is_complete boolean, p_address inet, p_agent text) returns void security definer set search_path=pg_catalog, pg_temp: 8ad9b5c183bf9956

-- function app.answer_try(p_try uuid, p_raw bytea) returns void security definer set search_path=pg_catalog, pg_temp: a9d880e4f7f36ef6

-- function app.begin_first_session(p_user_id uuid, p_hash bytea, p_address inet, p_agent text) returns void security definer set search_path=pg_catalog, pg_temp: 70f712937a51da6d

-- function app.begin_session(p_try uuid, p_hash bytea, p_previous bytea, p_address inet, p_agent text) returns text security definer set search_path=pg_catalog, pg_temp: 30c8c415f0742658

-- function app.change_own_password(p_try uuid, p_salt bytea, p_cost text, p_verifier bytea) returns boolean security definer set search_path=pg_catalog, pg_temp: 0c9a83682e1318bf

-- function app.choose_language(p_language text) returns void security definer set search_path=pg_catalog, pg_temp: 91a59209ef0c6862

-- function app.claim_form(p_id uuid) returns text security definer set search_path=pg_catalog, pg_temp: e1801e3a869daa93

-- function app.claim_setup(p_hash bytea) returns boolean security definer set search_path=pg_catalog, pg_temp: bff017c549569108

-- function app.clear_second_factor(p_user_id uuid) returns boolean security definer set search_path=pg_catalog, pg_temp: ee5844f513eeeb3a

-- function app.company_name() returns text security definer stable set search_path=pg_catalog, pg_temp: d7fd681350a74271

-- function app.complete_session(p_hash bytea, p_secret bytea, p_step bigint, p_recovery_hash bytea, p_address inet, p_agent text) returns boolean security definer set search_path=pg_catalog, pg_temp: ca821798bc225989

-- function app.complete_user_id() returns uuid security definer stable set search_path=pg_catalog, pg_temp: 019f034f5eb89825

-- function app.count_dead_jobs() returns bigint security definer stable set search_path=pg_catalog, pg_temp: 3d7c4b20d897cc1d

-- function app.count_login(p_email text, p_address inet) returns integer security definer set search_path=pg_catalog, pg_temp: 30c2ec94e6e19172

-- function app.count_recovery_codes() returns integer security definer stable set search_path=pg_catalog, pg_temp: d9e07e4e71fdc708

-- function app.create_user(p_id uuid, p_email text, p_name text, p_role text, p_salt bytea, p_cost text, p_verifier bytea, p_is_temporary boolean) returns void security definer set search_path=pg_catalog, pg_temp: 0cbb63a3c0d1b515

-- function app.current_role_name() returns text security definer stable set search_path=pg_catalog, pg_temp: 299c66038e516542

-- function app.current_user_id() returns uuid security definer stable set search_path=pg_catalog, pg_temp: 05a7513a85455064

-- function app.database_facts() returns TABLE(version text, size_bytes bigint, connections integer, connections_max integer, longest_seconds integer, longest_by text) security definer stable set search_path=pg_catalog, pg_temp: 49b38b9a3ea64279

-- function app.end_invitation() returns trigger set search_path=pg_catalog, pg_temp: fd21f6d43e205526

-- function app.end_old_sessions() returns trigger security definer set search_path=pg_catalog, pg_temp: a58cc3dfd5d2665b

-- function app.end_session(p_hash bytea) returns void security definer set search_path=pg_catalog, pg_temp: 0ea205cc8f86a0d4

-- function app.enter(p_hash bytea) returns TABLE(user_id uuid, email text, name text, role text, is_complete boolean, password_is_temporary boolean, has_second_factor boolean, company text) security definer set search_path=pg_catalog, pg_temp: 8e761b98680a3044

-- function app.find_invitation(p_hash bytea, p_address inet) returns TABLE(seconds_left integer, email text, name text) security definer set search_path=pg_catalog, pg_temp: 3bc0c1b01edbe2d7

-- function app.find_login(p_email text, p_address inet) returns TABLE(seconds_left integer, try uuid, salt bytea, cost text) security definer set search_path=pg_catalog, pg_temp: 548a703a1c7784f2

-- function app.forget_tries(p_user_id uuid) returns void security definer set search_path=pg_catalog, pg_temp: d68b1772e2665eb6

-- function app.form_went_to(p_id uuid, p_location text) returns void security definer set search_path=pg_catalog, pg_temp: 03cf681e2ca0f867

-- function app.has_shown_password(p_try uuid) returns boolean security definer stable set search_path=pg_catalog, pg_temp: 3ba619af41fe95e8

-- function app.has_users() returns boolean security definer stable set search_path=pg_catalog, pg_temp: a995928f87a257c2

-- function app.invite_user(p_user_id uuid, p_hash bytea) returns timestamp with time zone security definer set search_path=pg_catalog, pg_temp: 67b152ea54cd59b7

-- function app.is_alive(p_session restricted.sessions) returns boolean stable set search_path=pg_catalog, pg_temp: 87e081fa7138453a

-- function app.is_operator() returns boolean security definer stable set search_path=pg_catalog, pg_temp: ecdc261f255ab1cd

-- function app.is_setup_token(p_hash bytea) returns boolean security definer stable set search_path=pg_catalog, pg_temp: 18b73c80a1efa84f

-- function app.keep_an_owner() returns trigger security definer set search_path=pg_catalog, pg_temp: eebc1cd349472bec

-- function app.key_name(p_id uuid) returns text security definer stable set search_path=pg_catalog, pg_temp: 4701b32f4a1cfa3c

-- function app.let_in_until() returns timestamp with time zone stable set search_path=pg_catalog, pg_temp: 3ed0af3746a6fe91

-- function app.list_dead_jobs(p_limit integer) returns TABLE(queue text, id uuid, payload jsonb, failed_at timestamp with time zone, attempts integer, failure text) security definer stable set search_path=pg_catalog, pg_temp: 75fab715937ba124

-- function app.matching_events(p_words text, p_most integer) returns uuid[] security definer stable set search_path=pg_catalog, pg_temp set enable_seqscan=off: f6fa825b4602ba51

-- function app.may(p_right text) returns boolean security definer stable set search_path=pg_catalog, pg_temp: 9fd550ec79346466

-- function app.may_let_in(p_role text) returns boolean stable set search_path=pg_catalog, pg_temp: 022a8b6fd7e9fd87

-- function app.own_language() returns text security definer stable set search_path=pg_catalog, pg_temp: 16234fce4ba9b8de

-- function app.presented_session() returns bytea stable set search_path=pg_catalog, pg_temp: d2aac2d4bf2de232

-- function app.queue_states() returns TABLE(queue text, waiting integer, oldest timestamp with time zone, active integer, dead integer) security definer stable set search_path=pg_catalog, pg_temp: 9855a18fd18ad4b8

-- function app.refuse_login(p_user_id uuid, p_address inet) returns void security definer set search_path=pg_catalog, pg_temp: bd2ba4aeea7fe523

-- function app.refuse_row(p_state text, p_message text) returns void set search_path=pg_catalog, pg_temp: 4167320f2a6244cb

-- function app.remove_second_factor(p_user_id uuid) returns boolean security definer set search_path=pg_catalog, pg_temp: 00b15130ae372f91

-- function app.rename_self(p_name text) returns void security definer set search_path=pg_catalog, pg_temp: 6ab8d0583bf89b44

-- function app.renew_recovery_codes(p_try uuid, p_secret bytea, p_step bigint, p_recovery_hash bytea, p_recovery_hashes bytea[]) returns text security definer set search_path=pg_catalog, pg_temp: e228188709521eab

-- function app.replace_recovery_codes(p_user_id uuid, p_hashes bytea[]) returns void security definer set search_path=pg_catalog, pg_temp: 71a753fca10a0957

-- function app.require_administrator() returns void stable set search_path=pg_catalog, pg_temp: 00f069632585686a

-- function app.require_right() returns trigger set search_path=pg_catalog, pg_temp: 7a96ec62443ecf50

-- function app.reset_password(p_user_id uuid, p_salt bytea, p_cost text, p_verifier bytea) returns boolean security definer set search_path=pg_catalog, pg_temp: 4cd7569d8d404bbc

-- function app.retry_dead_jobs(p_queue text, p_ids uuid[]) returns integer security definer set search_path=pg_catalog, pg_temp: 9a112ede142a0510

-- function app.role_may(p_role text, p_right text) returns boolean immutable set search_path=pg_catalog, pg_temp: 81f32dcecba92068

-- function app.spend_code(p_user_id uuid, p_secret bytea, p_step bigint, p_recovery_hash bytea) returns boolean security definer set search_path=pg_catalog, pg_temp: c4c5142fed4b8e79

-- function app.spend_try(p_try uuid, p_session bytea) returns uuid security definer set search_path=pg_catalog, pg_temp: 7071b0531395a0a7

-- function app.still_lets_in(p_giver uuid, p_role text) returns boolean security definer stable set search_path=pg_catalog, pg_temp: dcabd9242ff1f96e

-- function app.try_password() returns TABLE(seconds_left integer, try uuid, salt bytea, cost text) security definer set search_path=pg_catalog, pg_temp: ad0ee335aeff6547

-- function app.try_second_factor() returns TABLE(seconds_left integer, user_id uuid, sealed bytea) security definer set search_path=pg_catalog, pg_temp: 82d3a0134808697b

-- function app.turn_off_second_factor(p_try uuid, p_secret bytea, p_step bigint, p_recovery_hash bytea) returns text security definer set search_path=pg_catalog, pg_temp: 0a63a12c79d0f645

-- function app.turn_on_second_factor(p_try uuid, p_secret bytea, p_sealed bytea, p_step bigint, p_recovery_hashes bytea[]) returns text security definer set search_path=pg_catalog, pg_temp: 4215a91f42c2be05

-- function archive.bound_pages() returns trigger security definer set search_path=pg_catalog, pg_temp: ae6eafc9f2ad1e14

-- function archive.find_rendering(p_page bytea) returns bytea security definer stable set search_path=pg_catalog, pg_temp: e085b05fd4582aa6

-- function archive.forget_contents(p_contents bytea[]) returns void security definer set search_path=pg_catalog, pg_temp: ea0cb2b8023c11a4

-- function archive.keep_preview(p_source bytea, p_jpeg bytea) returns void security definer set search_path=pg_catalog, pg_temp: 6d1ffa83a75da839

-- function archive.page_budget() returns bigint immutable set search_path=pg_catalog, pg_temp: 222f54e5f289aa0b

-- function archive.purge_pages() returns bigint security definer set search_path=pg_catalog, pg_temp: a749fbd36755ae25

-- function archive.purge_previews() returns bigint security definer set search_path=pg_catalog, pg_temp: f946d697a88cdb03

-- function archive.refuse_change() returns trigger: 3905cc330fbdcca1

-- function archive.request_preview(p_source bytea) returns text security definer set search_path=pg_catalog, pg_temp: 09f5d9ba5bfa9bbb

-- function archive.request_rendering(p_html text) returns bytea security definer set search_path=pg_catalog, pg_temp: 0848e03d6826f179

-- function archive.take_preview(p_source bytea) returns bytea security definer set search_path=pg_catalog, pg_temp: 390fdd79bf82af3b

-- function audit.actor(p_said text) returns text security definer stable set search_path=pg_catalog, pg_temp: 8e4bce666526631a

-- function audit.entries_due(p_table text, p_old jsonb, p_new jsonb) returns TABLE(action text, subject text) stable set search_path=pg_catalog, pg_temp: e71df838aa167bdc

-- function audit.needed_right(p_action text, p_subject text) returns text stable set search_path=pg_catalog, pg_temp: 6894af8c260ee1cc

-- function audit.record(p_actor text, p_action text, p_subject text, p_detail jsonb) returns void security definer set search_path=pg_catalog, pg_temp: 5a582a5c4671efc1

-- function audit.refuse_change() returns trigger: 19c1dc65550dcf39

-- function audit.refuse_nobody() returns text set search_path=pg_catalog, pg_temp: 8095e0c9cd651e40

-- function audit.require_event() returns trigger security definer set search_path=pg_catalog, pg_temp: 10c6e021c3dad7cc

-- function audit.stamp_change() returns trigger set search_path=pg_catalog, pg_temp: fd6ba98c31c7c8e5

-- function audit.stamp_created() returns trigger set search_path=pg_catalog, pg_temp: 106bb1b4f84c4b9d

-- function audit.stamp_time() returns trigger set search_path=pg_catalog, pg_temp: 6b1db82fb888fc21

-- function audit.stamp_verification() returns trigger set search_path=pg_catalog, pg_temp: 5174bc8eef02ec6d

-- function audit.words_of(p_subject text, p_detail jsonb) returns tsvector immutable set search_path=pg_catalog, pg_temp: 417b03c4a8a09459

-- function bank.ask_for_booking() returns trigger security definer set search_path=pg_catalog, pg_temp: 4d5af175a4f46575

-- function bank.documented_by_statements(p_vouchers uuid[]) returns SETOF uuid stable set search_path=pg_catalog, pg_temp: 4d65a520fa73054e

-- function bank.follow_corrections() returns trigger security definer set search_path=pg_catalog, pg_temp: 31e8a5b7c4f4113c

-- function bank.guard_matches() returns trigger set search_path=pg_catalog, pg_temp: 0bc1038611650ad7

-- function bank.guard_provider_settlement() returns trigger set search_path=pg_catalog, pg_temp: 8407bd48e2131610

-- function bank.guard_transaction() returns trigger set search_path=pg_catalog, pg_temp: ea8e9fb159ea7629

-- function bank.hold_documents() returns trigger security definer set search_path=pg_catalog, pg_temp: 97d5801b40537d5e

-- function bank.hold_documents_of() returns trigger security definer set search_path=pg_catalog, pg_temp: 4c6730838676d588

-- function bank.is_settling_account(p_account integer) returns boolean immutable: fd544272ad839a60

-- function bank.judge_undone() returns trigger security definer set search_path=pg_catalog, pg_temp: 8debad52dd056671

-- function bank.keep_told_balance() returns trigger set search_path=pg_catalog, pg_temp: 2c46019bfaa0db6a

-- function bank.purge_files() returns bigint security definer set search_path=pg_catalog, pg_temp: c417d454b45daefb

-- function bank.refuse_change() returns trigger: 25fc48093ffd2339

-- function bank.refuse_late_file() returns trigger set search_path=pg_catalog, pg_temp: ac3eb79d6ca33f70

-- function bank.stamp_asked() returns trigger set search_path=pg_catalog, pg_temp: f3623800373744bb

-- function bank.stamp_match() returns trigger set search_path=pg_catalog, pg_temp: 892e3cd8a7341983

-- function bank.take_provider_settlement(p_actor text, p_request_id uuid, p_settlement jsonb, p_lines jsonb, p_rows jsonb) returns TABLE(outcome text, id uuid, voucher_id uuid, detail jsonb) set search_path=pg_catalog, pg_temp: 1f16905e0b004e9c

-- function bank.tie_announcements(p_account_id uuid) returns void set search_path=pg_catalog, pg_temp: d5692f3a0a65a16e

-- function bank.told_balance(p_account uuid, p_day date) returns bigint stable set search_path=pg_catalog, pg_temp: 3af6da4fdf942eec

-- function bank.touch_rows() returns trigger security definer set search_path=pg_catalog, pg_temp: 7ddcfa43ddc0893f

-- function bank.write_settlement(p_settlement jsonb, p_lines jsonb, p_rows jsonb, p_actor text) returns TABLE(outcome text, id uuid, voucher_id uuid, detail jsonb) security definer set search_path=pg_catalog, pg_temp: d4ce2e65818c007c

-- function events.body_of(p_id uuid, p_type text, p_occurred_at timestamp with time zone, p_subject uuid) returns jsonb stable set search_path=pg_catalog, pg_temp: 261df13634950df2

-- function events.current_epoch() returns integer security definer stable set search_path=pg_catalog, pg_temp: 6755c2c27439d76f

-- function events.describe(p_type text, p_subject uuid) returns jsonb stable set search_path=pg_catalog, pg_temp: 9471e1c1983be863

-- function events.fan_out(p_page integer, p_outstanding_max integer) returns integer set search_path=pg_catalog, pg_temp: 26658cdfc65ed5a5

-- function events.id_of(p_event events.outbox) returns uuid immutable set search_path=pg_catalog, pg_temp: 8c2fc35d330b2854

-- function events.keep_last_place() returns void security definer set search_path=pg_catalog, pg_temp: 927dcfe4e7e9f39b

-- function events.latest_place() returns TABLE(epoch integer, xid xid8, seq bigint) security definer stable set search_path=pg_catalog, pg_temp: 585d18a177bd7509

-- function events.list_after(p_epoch integer, p_xid xid8, p_seq bigint, p_limit integer) returns SETOF events.outbox stable set search_path=pg_catalog, pg_temp: d5f346209ed54293

-- function events.list_due(p_endpoints uuid[], p_busy integer[], p_places integer) returns SETOF uuid set search_path=pg_catalog, pg_temp: bcc1370b9dfb7118

-- function events.note_documents() returns trigger security definer set search_path=pg_catalog, pg_temp: cca1b604ea6aa51b

-- function events.note_e_invoice_again() returns trigger security definer set search_path=pg_catalog, pg_temp: 04d36e097c1c59d1

-- function events.note_invoice_status() returns trigger security definer set search_path=pg_catalog, pg_temp: ec469721e24f5bda

-- function events.note_matches() returns trigger security definer set search_path=pg_catalog, pg_temp: 911adf32af226523

-- function events.note_new_invoices() returns trigger security definer set search_path=pg_catalog, pg_temp: 86fddabfb5821759

-- function events.note_payment_file() returns trigger security definer set search_path=pg_catalog, pg_temp: 51240c4b0c261675

-- function events.note_proposals() returns trigger security definer set search_path=pg_catalog, pg_temp: 2dc3e75d08cb4584

-- function events.note_received_e_invoices() returns trigger security definer set search_path=pg_catalog, pg_temp: 56953d671dfe97fd

-- function events.note_received_orders() returns trigger security definer set search_path=pg_catalog, pg_temp: 94e8f3a3a52d869d

-- function events.note_rejected_order() returns trigger security definer set search_path=pg_catalog, pg_temp: ce3290c8c4167aa7

-- function events.note_removed() returns trigger security definer set search_path=pg_catalog, pg_temp: 7091ca241ccfae3b

-- function events.place_before_loss(p_epoch integer, p_run bigint, p_xid xid8, p_seq bigint) returns events.epochs security definer stable set search_path=pg_catalog, pg_temp: 6f65d90bf8e87a7f

-- function events.replace_secret(p_id uuid, p_sealed bytea, p_keeps boolean) returns boolean security definer set search_path=pg_catalog, pg_temp: 4fcd9e10cce8abbe

-- function events.run_of(p_epoch integer) returns bigint security definer stable set search_path=pg_catalog, pg_temp: ebe7f7ce2446f566

-- function events.take(p_ids uuid[]) returns TABLE(id uuid, endpoint_id uuid, event_id uuid, type text, attempt integer, url text, sealed bytea[], body text) set search_path=pg_catalog, pg_temp: 0929d22de36bf43e

-- function events.this_run() returns timestamp with time zone stable: 671bd289897e282a

-- function events.writing_epoch() returns integer security definer set search_path=pg_catalog, pg_temp: 21b6f10ca0a508b7

-- function intake.book_till_report(p_id uuid, p_voucher_id uuid, p_actor text, p_rows jsonb) returns TABLE(outcome text, detail jsonb) security definer set search_path=pg_catalog, pg_temp: 5ef073003f1061ad

-- function intake.count_stopped_orders(p_before timestamp with time zone) returns bigint stable set search_path=pg_catalog, pg_temp: fb7829f0760a63f1

-- function intake.enqueue(p_queue text, p_data jsonb[]) returns void security definer set search_path=pg_catalog, pg_temp: af6b3c5d73f36bc3

-- function intake.follow_till_corrections() returns trigger security definer set search_path=pg_catalog, pg_temp: af69e589213ede90

-- function intake.freeze_e_invoice() returns trigger set search_path=pg_catalog, pg_temp: 0fe852f568811c25

-- function intake.freeze_order() returns trigger set search_path=pg_catalog, pg_temp: 498dede8167aabed

-- function intake.freeze_received() returns trigger set search_path=pg_catalog, pg_temp: 0a3176deb1ee6de6

-- function intake.guard_till_report() returns trigger set search_path=pg_catalog, pg_temp: 8d54d95e26dcaaf8

-- function intake.hold_contents(p_sha256 bytea[]) returns void set search_path=pg_catalog, pg_temp: ac7222f3da086834

-- function intake.refuse_change() returns trigger set search_path=pg_catalog, pg_temp: 3b93cd767dff1f83

-- function intake.reopen_order() returns trigger security definer set search_path=pg_catalog, pg_temp: bed91ad54c1cce0e

-- function intake.settle_changed_order(p_order_id uuid, p_received_at timestamp with time zone) returns boolean security definer set search_path=pg_catalog, pg_temp: 17f89b76f310cd9a

-- function intake.stamp_decision() returns trigger set search_path=pg_catalog, pg_temp: 90a8c6bebe6a4591

-- function intake.wake_refunds() returns trigger security definer set search_path=pg_catalog, pg_temp: be69c2cd8c69e6a2

-- function ledger.anew_problem() returns jsonb security definer stable set search_path=pg_catalog, pg_temp: 3c17322b7a49a972

-- function ledger.balance_at(p_account integer, p_day date) returns bigint stable set search_path=pg_catalog, pg_temp: 2e46f6675ca7f07f

-- function ledger.begin_anew(p_company text, p_actor text) returns TABLE(vouchers bigint, imports bigint, years integer[]) security definer set search_path=pg_catalog, pg_temp: 7eb4bf8d694c3ca6

-- function ledger.begin_import() returns boolean security definer set search_path=pg_catalog, pg_temp: d1b529458e9ab84b

-- function ledger.begin_series() returns trigger set search_path=pg_catalog, pg_temp: 2e05175d0f54c6ee

-- function ledger.cash_shortfalls(p_first date, p_last date) returns TABLE(account integer, day date, balance_ore bigint) stable set search_path=pg_catalog, pg_temp: 860961d643b572d8

-- function ledger.check_new_rows() returns trigger set search_path=pg_catalog, pg_temp set enable_seqscan=off: 0fb2bb007bb4a420

-- function ledger.check_new_vouchers() returns trigger set search_path=pg_catalog, pg_temp set enable_seqscan=off: 6f0f7fcd2ec3a2e0

-- function ledger.check_reversal() returns trigger set search_path=pg_catalog, pg_temp: a7514455ae660d9a

-- function ledger.content_hash(p_content text) returns bytea stable: 72fb17b43a179353

-- function ledger.count_attached() returns trigger security definer set search_path=pg_catalog, pg_temp: 6c97237b4d44069c

-- function ledger.count_attachments_missing() returns bigint security definer stable set search_path=pg_catalog, pg_temp: 10da22c98fae2fe9

-- function ledger.counted_elsewhere() returns TABLE(voucher_id uuid, why text, is_kept boolean, counts_on date) stable set search_path=pg_catalog, pg_temp: 4aa7ca136dc12ef4

-- function ledger.documents_for_keys(p_vouchers uuid[]) returns TABLE(voucher_id uuid, id uuid, kind text, invoice_id uuid, purchase_id uuid, file_name text, media_type text, size integer, sha256 bytea, added_at timestamp with time zone) stable set search_path=pg_catalog, pg_temp: b3fe3427e3ac75ca

-- function ledger.earliest_open_date(p_from date, p_touches_vat boolean) returns date stable set search_path=pg_catalog, pg_temp: ac71c7b01747741a

-- function ledger.failing_conditions(p_month date, p_time_zone text) returns text[] stable set search_path=pg_catalog, pg_temp: 85d1b697540d8738

-- function ledger.file_document() returns trigger security definer set search_path=pg_catalog, pg_temp: 21244ee7d75f5970

-- function ledger.find_lock(p_date date, p_touches_vat boolean) returns jsonb stable: 55712988aa5048b3

-- function ledger.first_hash(p_series_id uuid) returns bytea immutable: 710cee2447e7dba4

-- function ledger.first_month() returns date stable set search_path=pg_catalog, pg_temp: 477545f50d84cd3e

-- function ledger.fold_sums(p_series_id uuid, p_first integer, p_before integer) returns void set search_path=pg_catalog, pg_temp: 454bf11961672a37

-- function ledger.freeze_vat_return() returns trigger security definer set search_path=pg_catalog, pg_temp: ce5268ee2cf1c0e0

-- function ledger.give_way_to_import() returns void security definer set search_path=pg_catalog, pg_temp: 6cd40c552b390e64

-- function ledger.guard_accrual() returns trigger set search_path=pg_catalog, pg_temp: 253b88e15d9f0599

-- function ledger.guard_accrual_posting() returns trigger set search_path=pg_catalog, pg_temp: 33d47dc8df27b775

-- function ledger.guard_fiscal_year() returns trigger set search_path=pg_catalog, pg_temp: ff69704ee2676f30

-- function ledger.guard_month_end() returns trigger security definer set search_path=pg_catalog, pg_temp: b467c8e6b70c1b41

-- function ledger.guard_vat_return() returns trigger security definer set search_path=pg_catalog, pg_temp: f963f507ee0bebc9

-- function ledger.has_base_of_vat(p_voucher_id uuid) returns boolean stable set search_path=pg_catalog, pg_temp: 17846c28a591bf2c

-- function ledger.has_own_document(p_source text) returns boolean immutable: c4028b8b430e0229

-- function ledger.head() returns TABLE(vouchers bigint, hash bytea) stable set search_path=pg_catalog, pg_temp: dd0e7ae8b0fda77f

-- function ledger.hold_documents(p_vouchers uuid[], p_held uuid[]) returns void set search_path=pg_catalog, pg_temp: 0fa84da6a3be7ff4

-- function ledger.is_closed_to_keys(p_voucher uuid) returns boolean stable set search_path=pg_catalog, pg_temp: 79554e05b9b64eb3

-- function ledger.is_personnel_account(p_account integer) returns boolean immutable set search_path=pg_catalog, pg_temp: 6cdfeda958705aea

-- function ledger.is_vat_account(p_account integer) returns boolean immutable: 7b34fc2838cd37b8

-- function ledger.judge_imported() returns trigger security definer set search_path=pg_catalog, pg_temp: 03fb9453a27486b4

-- function ledger.judge_pairings() returns trigger security definer set search_path=pg_catalog, pg_temp: 03c805eb09f2d2fd

-- function ledger.judge_settlement_judgement() returns trigger security definer set search_path=pg_catalog, pg_temp: 56e36e189312f03b

-- function ledger.judge_vat_assignment() returns trigger security definer set search_path=pg_catalog, pg_temp: 7bcfd4b7b54e4bec

-- function ledger.judge_vat_settlement() returns trigger security definer set search_path=pg_catalog, pg_temp: 116e5911ab3f5329

-- function ledger.late_vat_vouchers(p_end date) returns TABLE(voucher_id uuid) stable set search_path=pg_catalog, pg_temp: 481a9c16f424d501

-- function ledger.lock_filed_vat() returns trigger security definer set search_path=pg_catalog, pg_temp: 44a1c73c2dc77dcf

-- function ledger.mark_said_vat_lock() returns trigger set search_path=pg_catalog, pg_temp: 741849610d4cb303

-- function ledger.mark_vat_assignments() returns trigger security definer set search_path=pg_catalog, pg_temp: 0fad4213ecdf26a3

-- function ledger.month_ends_on(p_today date, p_time_zone text) returns TABLE(last_closed_month date, open_month date, open_month_failing text[], months_behind integer) stable set search_path=pg_catalog, pg_temp: 70c156ecaacc98a6

-- function ledger.month_results() returns TABLE(month date, revenue_ore bigint, costs_ore bigint, goods_ore bigint) stable set search_path=pg_catalog, pg_temp: 535e97eb5aef7e31

-- function ledger.overview_figures(p_limit integer, p_today date) returns jsonb stable set search_path=pg_catalog, pg_temp: b3ecb61fbf2085fc

-- function ledger.personal_tax_problems(p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[]) returns TABLE(item integer, problems jsonb) stable: 4ceb8fc5e9df0cf6

-- function ledger.place_document() returns trigger security definer set search_path=pg_catalog, pg_temp: 2cb2595c02d9c11c

-- function ledger.post(p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[], p_source text[], p_actor text, p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[], p_dry_run boolean DEFAULT false, p_row_vat_code text[] DEFAULT NULL::text[]) returns TABLE(item integer, number integer, error text, detail jsonb) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 0b769b9349494d30

-- function ledger.post_vouchers(p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[], p_source text[], p_actor text[], p_request_id uuid[], p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[], p_skip boolean[] DEFAULT NULL::boolean[], p_dry_run boolean DEFAULT false, p_row_vat_code text[] DEFAULT NULL::text[]) returns TABLE(item integer, number integer, error text, detail jsonb) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 809bb1cf61512a19

-- function ledger.purge_sie_files() returns bigint security definer set search_path=pg_catalog, pg_temp: bd0e4ff059be63df

-- function ledger.refuse_change() returns trigger: d42f194be6d72d4b

-- function ledger.refuse_if_in_use() returns trigger set search_path=pg_catalog, pg_temp: 8adf71ab95a33993

-- function ledger.refuse_if_named() returns trigger set search_path=pg_catalog, pg_temp: 943eececc0abfb58

-- function ledger.refuse_reopening_under_closed() returns trigger security definer set search_path=pg_catalog, pg_temp: a177112586e49d03

-- function ledger.refuse_year_under_closed() returns trigger security definer set search_path=pg_catalog, pg_temp: 9caf1567cc6abeb5

-- function ledger.require_import() returns trigger security definer set search_path=pg_catalog, pg_temp: de7122d71c249015

-- function ledger.require_origin() returns trigger security definer set search_path=pg_catalog, pg_temp: d20e9a4b186e64ef

-- function ledger.require_standing_return() returns trigger security definer set search_path=pg_catalog, pg_temp: b37b38424d8f1e2c

-- function ledger.require_vat_period() returns trigger security definer set search_path=pg_catalog, pg_temp: d33e1076e12400b8

-- function ledger.require_whole_accrual() returns trigger security definer set search_path=pg_catalog, pg_temp: 72684ecbdc6579a3

-- function ledger.row_content(p_account integer, p_debit bigint, p_credit bigint, p_vat_code text, p_note text, p_cost_center uuid, p_project uuid) returns text stable: cf111c0faa2056a6

-- function ledger.row_problems(p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_cost_center uuid[], p_row_project uuid[]) returns TABLE(item integer, problems jsonb) stable: d77932bd929db838

-- function ledger.seal(p_previous bytea, p_number integer, p_content_hash bytea) returns bytea immutable: 2dd5369396a16619

-- function ledger.series_problem(p_series text, p_date date) returns jsonb stable: 40f2527f4453d065

-- function ledger.stamp_acknowledgement() returns trigger set search_path=pg_catalog, pg_temp: 5214c534a159c323

-- function ledger.stamp_filing() returns trigger set search_path=pg_catalog, pg_temp: 565ab86d5a81b509

-- function ledger.stamp_undone() returns trigger security definer set search_path=pg_catalog, pg_temp: d74ac22324fc1ecc

-- function ledger.stands_beside_vat(p_source text) returns boolean immutable: 5df45f82478e4b2e

-- function ledger.sum_part(p_number integer) returns integer immutable: a9ab4d231eef8ac4

-- function ledger.touches_vat(p_accounts integer[]) returns boolean stable: 1245ced327ee3455

-- function ledger.vat_box(p_account integer, p_vat_code text) returns TABLE(box text, rate integer) stable set search_path=pg_catalog, pg_temp: c6fb25dde31ca204

-- function ledger.vat_changes(p_from date, p_to date) returns TABLE(account integer, vat_box text, debit_ore bigint, credit_ore bigint) stable set search_path=pg_catalog, pg_temp: 543162e9684be3a9

-- function ledger.vat_code_problems(p_row_item integer[], p_row_no integer[], p_row_vat_code text[]) returns TABLE(item integer, problems jsonb) stable: aac2ea1837fd9b5e

-- function ledger.vat_of_period(p_start date, p_end date) returns TABLE(account integer, vat_box text, brought_ore bigint, settled_ore bigint) stable set search_path=pg_catalog, pg_temp: 4c8bb72376fe828a

-- function ledger.vat_period_start(p_end date) returns date stable set search_path=pg_catalog, pg_temp: 95639babd2bbba04

-- function ledger.vat_return_parts(p_start date, p_end date) returns TABLE(account integer, vat_code text, box text, ore bigint) stable set search_path=pg_catalog, pg_temp: 96f32cbeff3340d1

-- function ledger.vat_sums(p_from date, p_to date) returns TABLE(account integer, vat_code text, box text, rate integer, debit_ore bigint, credit_ore bigint) stable set search_path=pg_catalog, pg_temp: d8c88d6655ca0cf3

-- function ledger.vat_sums_of(p_from date, p_to date, p_first integer, p_last integer) returns TABLE(account integer, vat_code text, box text, rate integer, debit_ore bigint, credit_ore bigint) stable set search_path=pg_catalog, pg_temp: 95548ff9f10ee2a3

-- function ledger.voucher_content(p_format integer, p_id uuid, p_series text, p_date date, p_description text, p_counterparty text, p_source text, p_posted_at timestamp with time zone, p_posted_by text, p_rows text) returns text stable: 8585b24562cce8bc

-- function ledger.wait_for_postings() returns trigger security definer set search_path=pg_catalog, pg_temp: fdde36ab238a6fb9

-- function ledger.wants_document(p_source text, p_voucher uuid) returns boolean stable: 1afeb90d51110638

-- function ledger.withdraw_vat_returns() returns trigger security definer set search_path=pg_catalog, pg_temp: 52b591e488b38336

-- function pgboss.create_queue(queue_name text, options jsonb) returns void: 1a1e3065411b82b3

-- function pgboss.delete_queue(queue_name text) returns void: 7e727a172c70c3d5

-- function pgboss.job_now() returns timestamp with time zone stable: 0e1a7e861eb99c28

-- function pgboss.job_table_format(command text, table_name text) returns text immutable: d6babe6b02e8f16f

-- function pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) returns void: ff6a13aaa9c4c94e

-- function pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) returns void: 1fdd88529e1979f2

-- function proposals.grounds_of(p_kind text, p_payload jsonb) returns jsonb stable set search_path=pg_catalog, pg_temp: 4fbe8dc784745dd1

-- function proposals.guard_proposal() returns trigger set search_path=pg_catalog, pg_temp: f40ec24af30729c8

-- function proposals.hash_of(p_grounds jsonb) returns bytea immutable set search_path=pg_catalog, pg_temp: 12ba5ff20961b60a

-- function proposals.moved_of(p_proposal proposals.proposals) returns text[] stable set search_path=pg_catalog, pg_temp: ce3ac4a1dc0a3685

-- function proposals.problems_of(p_kind text, p_payload jsonb, p_grounds jsonb) returns jsonb set search_path=pg_catalog, pg_temp: c364ed9d5f924ef4

-- function proposals.request_of(p_proposal proposals.proposals) returns text stable set search_path=pg_catalog, pg_temp: 431ff7ba9508b612

-- function purchases.add_opening_invoices(p_items jsonb, p_actor text) returns void security definer set search_path=pg_catalog, pg_temp: bee52cee8df855d8

-- function purchases.are_asked_for(p_payouts purchases.payouts[], p_orders text[]) returns boolean stable set search_path=pg_catalog, pg_temp: eb002ce78c1f1a8f

-- function purchases.book(p_id uuid, p_voucher_id uuid, p_date date, p_actor text) returns void security definer set search_path=pg_catalog, pg_temp: 920f9233691cc7fc

-- function purchases.follow_corrections() returns trigger security definer set search_path=pg_catalog, pg_temp: c3e283089a8fe13c

-- function purchases.follow_payouts() returns trigger security definer set search_path=pg_catalog, pg_temp: 8c4771e5b5ade3ee

-- function purchases.follow_tax_vouchers() returns trigger security definer set search_path=pg_catalog, pg_temp: 86f695034626b951

-- function purchases.freeze_booked_invoice() returns trigger set search_path=pg_catalog, pg_temp: fbe3fe54435215b4

-- function purchases.freeze_booked_rows() returns trigger set search_path=pg_catalog, pg_temp: c87f5c3e461ec055

-- function purchases.guard_payment_file() returns trigger security definer set search_path=pg_catalog, pg_temp: dbd3995efa627d94

-- function purchases.guard_payout() returns trigger security definer set search_path=pg_catalog, pg_temp: 33eb402ca6f0921a

-- function purchases.is_payee_changed(p_payout purchases.payouts) returns boolean security definer stable set search_path=pg_catalog, pg_temp: ceb284e0c8a672cb

-- function purchases.judge_booked_payments() returns trigger security definer set search_path=pg_catalog, pg_temp: 4f998a6c7ed61a5d

-- function purchases.judge_payout_part() returns trigger security definer set search_path=pg_catalog, pg_temp: 4242c0c0d1d6d3f5

-- function purchases.keep_live_parts() returns trigger security definer set search_path=pg_catalog, pg_temp: c1cdf16c629976c5

-- function purchases.open_on(p_day date) returns bigint stable set search_path=pg_catalog, pg_temp: 42c75bf00fa071e4

-- function purchases.orders_in(p_content bytea) returns text[] immutable set search_path=pg_catalog, pg_temp: 685c2120c3a56759

-- function purchases.owed_ore(p_invoice purchases.invoices) returns bigint stable set search_path=pg_catalog, pg_temp: a01421f054843b5d

-- function purchases.pay_taxes_by(p_voucher_ids uuid[]) returns void security definer set search_path=pg_catalog, pg_temp: 75f9eaab36bdbe88

-- function purchases.payment_file_content(p_id uuid) returns bytea security definer stable set search_path=pg_catalog, pg_temp: 783dc5c95655fe5b

-- function purchases.people_who_pay() returns bigint security definer stable set search_path=pg_catalog, pg_temp: 527fd737f6bc540e

-- function purchases.refuse_change() returns trigger: b52d2c596a70d214

-- function purchases.reject(p_id uuid, p_reason text, p_actor text) returns void security definer set search_path=pg_catalog, pg_temp: 001f5f67b08a68ba

-- function purchases.remove_opening_invoice(p_id uuid) returns boolean security definer set search_path=pg_catalog, pg_temp: 6419c82d90f94b76

-- function purchases.require_invoice() returns trigger security definer set search_path=pg_catalog, pg_temp: 94aea3b1d624d4b0

-- function purchases.require_paid_payout() returns trigger security definer set search_path=pg_catalog, pg_temp: 2d39b476474706e1

-- function purchases.require_told_file() returns trigger security definer set search_path=pg_catalog, pg_temp: 7d98a53d66c15d11

-- function purchases.require_told_payouts() returns trigger security definer set search_path=pg_catalog, pg_temp: b3e9cf1a33054b62

-- function purchases.require_whole_payout() returns trigger security definer set search_path=pg_catalog, pg_temp: cbbb69c9b0644117

-- function purchases.sent_file_content(p_id uuid) returns bytea security definer stable set search_path=pg_catalog, pg_temp: 5438ba41f825040f

-- function purchases.settle_added() returns trigger security definer set search_path=pg_catalog, pg_temp: 11eeef88140e9dee

-- function purchases.sum_booked() returns trigger security definer set search_path=pg_catalog, pg_temp: 287de63f9096601e

-- function purchases.sum_changes(p_voucher_ids uuid[], p_ore bigint[]) returns void set search_path=pg_catalog, pg_temp set enable_seqscan=off: 94f274858971205a

-- function purchases.usual_accounts(p_suppliers uuid[]) returns TABLE(supplier_id uuid, account integer) stable set search_path=pg_catalog, pg_temp: f2e20b85b36e65f1

-- function purchases.write_by_hand(p_invoice jsonb, p_actor text) returns void security definer set search_path=pg_catalog, pg_temp: 4b39222c63c0ebcc

-- function restricted.count_calls(p_address inet[], p_purpose text) returns TABLE(item integer, used bigint, seconds_left integer) set search_path=pg_catalog, pg_temp: 0406829c367cce0d

-- function restricted.empty_demo() returns void set search_path=pg_catalog, pg_temp: 6c119ccb63a2818f

-- function restricted.end_overdue(p_now timestamp with time zone) returns integer security definer set search_path=pg_catalog, pg_temp: 3204972e6d42be9d

-- function restricted.figures() returns TABLE(name text, value double precision) security definer stable set search_path=pg_catalog, pg_temp: d05338631de01bac

-- function restricted.first_key(p_id uuid) returns uuid stable set search_path=pg_catalog, pg_temp: d053fcd85ce2b9aa

-- function restricted.first_keys(p_ids uuid[]) returns TABLE(key_id uuid, first_id uuid) stable set search_path=pg_catalog, pg_temp: 9d9c6c6da749934d

-- function restricted.forget_process(p_id uuid) returns void security definer set search_path=pg_catalog, pg_temp: a9c5e5748b9dd8d2

-- function restricted.hold_keys() returns void security definer set search_path=pg_catalog, pg_temp: 54697c53166cbee8

-- function restricted.intake_refusals(p_hash bytea[]) returns TABLE(item bigint, key_id uuid, refusal text) set search_path=pg_catalog, pg_temp: ebba22d5efeaf243

-- function restricted.is_figure(p_value jsonb) returns boolean immutable set search_path=pg_catalog, pg_temp: 33603c53920a1a1c

-- function restricted.is_open(p_opened_at timestamp with time zone, p_length interval) returns boolean stable: 4c129d1925b434d7

-- function restricted.is_up_to_date() returns boolean stable set search_path=pg_catalog, pg_temp: 6a1ac103eba38d19

-- function restricted.judge_calls(p_route text, p_scopes text[], p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[]) returns TABLE(item integer, key_id uuid, outcome text, stored restricted.idempotency) set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 068e8072c4eda860

-- function restricted.keep_demo() returns trigger set search_path=pg_catalog, pg_temp: 85c52b566297bc64

-- function restricted.keep_succession() returns trigger security definer set search_path=pg_catalog, pg_temp: ef1065c516efa03c

-- function restricted.note_process(p_id uuid, p_host text, p_pid integer, p_parts text[], p_version text, p_started_at timestamp with time zone, p_handled jsonb, p_work jsonb DEFAULT '{}'::jsonb) returns void security definer set search_path=pg_catalog, pg_temp: 169ba89fb94139e2

-- function restricted.purge_begun_forms() returns bigint security definer set search_path=pg_catalog, pg_temp: 749827aef4d653c7

-- function restricted.purge_expired() returns TABLE(answers bigint, windows bigint, tokens bigint, events bigint, deliveries bigint, sessions bigint, forms bigint) security definer set search_path=pg_catalog, pg_temp: dc8368c84d48f385

-- function restricted.queue_figures() returns TABLE(queue text, waiting bigint, oldest_seconds double precision, active bigint, dead bigint, handled double precision, busy_seconds double precision, slots bigint, processes bigint) security definer stable set search_path=pg_catalog, pg_temp: c6ad6af05634c33f

-- function restricted.require_demo() returns trigger security definer set search_path=pg_catalog, pg_temp: 25b10fde2ce818ef

-- function restricted.require_lists(p_length integer, VARIADIC p_dims text[]) returns void immutable set search_path=pg_catalog, pg_temp: 82f54cf7aee99f87

-- function restricted.require_up_to_date() returns void stable set search_path=pg_catalog, pg_temp: d4fe4eb57d6efc04

-- function restricted.sender() returns uuid stable set search_path=pg_catalog, pg_temp: 61a21fd1ab1e51b2

-- function restricted.stamp_key() returns trigger set search_path=pg_catalog, pg_temp: 98cdb461adfa7c8a

-- function sales.add_opening_invoices(p_items jsonb, p_actor text) returns void security definer set search_path=pg_catalog, pg_temp: d404e5a107ce2dec

-- function sales.book(p_invoice_id uuid[], p_voucher_id uuid[], p_actor text, p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[]) returns TABLE(item integer, number integer, ocr text, status text, error text, detail jsonb) security definer set search_path=pg_catalog, pg_temp: 5434fac04e9f9562

-- function sales.book_invoices(p_invoice_id uuid[], p_voucher_id uuid[], p_actor text[], p_request_id uuid[], p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[]) returns TABLE(item integer, number integer, ocr text, status text, error text, detail jsonb) security definer set search_path=pg_catalog, pg_temp set plan_cache_mode=force_generic_plan set enable_seqscan=off: 36ede71a0af184d1

-- function sales.books_fee(p_voucher uuid, p_day date, p_debit integer, p_credit integer, p_ore bigint) returns boolean security definer stable set search_path=pg_catalog, pg_temp: 0c16224392ba279c

-- function sales.check_new_rows() returns trigger set search_path=pg_catalog, pg_temp: 9795b2f1d82e8efb

-- function sales.debtor_of(p_customer sales.customers) returns jsonb stable: 7540689e2b24dd3b

-- function sales.draft_problems(p_customer_id uuid[], p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_vat_rate integer[]) returns TABLE(item integer, problems jsonb) stable: 6b886ef1ab6826f9

-- function sales.find_invoices(p_text text, p_limit integer) returns SETOF uuid security definer stable set search_path=pg_catalog, pg_temp set enable_seqscan=off: 663eb6855e2285a3

-- function sales.freeze_booked_invoice() returns trigger set search_path=pg_catalog, pg_temp: 0f26939b6fe977da

-- function sales.freeze_booked_rows() returns trigger set search_path=pg_catalog, pg_temp: 9a995d6087fcaa31

-- function sales.invoice_document(p_id uuid) returns jsonb stable set search_path=pg_catalog, pg_temp: b9d4d6e1f163aa10

-- function sales.is_sold_on(p_number integer, p_type text) returns boolean immutable: 4e9227d61298b66d

-- function sales.judge_booked_payments() returns trigger security definer set search_path=pg_catalog, pg_temp: 85f64cfff0938191

-- function sales.judge_credit_note() returns trigger security definer set search_path=pg_catalog, pg_temp: 81ba3f640e0cbc8d

-- function sales.judge_opening_items(p_account integer) returns void set search_path=pg_catalog, pg_temp: bd56dc351ee85ec3

-- function sales.judge_payment_vouchers() returns trigger security definer set search_path=pg_catalog, pg_temp: db3b16922ddba226

-- function sales.judge_payments() returns trigger security definer set search_path=pg_catalog, pg_temp: 5c7d690f9b09ff71

-- function sales.judge_purchase_payments() returns trigger security definer set search_path=pg_catalog, pg_temp: 89c764795544c925

-- function sales.judge_reminders() returns trigger security definer set search_path=pg_catalog, pg_temp: b05a920f10faa1f5

-- function sales.judge_source() returns trigger set search_path=pg_catalog, pg_temp: c2027e2c274ebb13

-- function sales.judge_unposted() returns trigger security definer set search_path=pg_catalog, pg_temp: d3df39e550301c98

-- function sales.judge_withdrawn_fees() returns trigger security definer set search_path=pg_catalog, pg_temp: 8d79509a981b3495

-- function sales.keep_mail() returns trigger set search_path=pg_catalog, pg_temp: 062b3323bcf457f1

-- function sales.keep_move_day() returns trigger security definer set search_path=pg_catalog, pg_temp: 073276f955b88202

-- function sales.keep_order_payment() returns trigger set search_path=pg_catalog, pg_temp: d3159f43656133dd

-- function sales.moved_balance(p_account integer) returns bigint stable set search_path=pg_catalog, pg_temp: f3933699438ed72f

-- function sales.ocr_for(p_number integer) returns text immutable strict set search_path=pg_catalog, pg_temp: 85f5d391463eb3e6

-- function sales.open_on(p_day date) returns bigint stable set search_path=pg_catalog, pg_temp: bd18acc5d3d15898

-- function sales.oss_sales(p_from date, p_to date) returns TABLE(quarter date, country text, rate_e2 integer, supply text, currency text, net bigint, vat bigint, net_ore bigint, vat_ore bigint) stable set search_path=pg_catalog, pg_temp: 931221ba2b279357

-- function sales.printed_seller() returns jsonb stable set search_path=pg_catalog, pg_temp: 77db21d172506be5

-- function sales.refuse_article_in_use() returns trigger set search_path=pg_catalog, pg_temp: e9302de376e2f722

-- function sales.refuse_change() returns trigger: 8ccf6523382d83ce

-- function sales.remove_opening_invoice(p_id uuid) returns boolean security definer set search_path=pg_catalog, pg_temp: cb1cf895d5cb1631

-- function sales.rows_may_be_in_doubt(p_account integer[], p_vat_rate integer[]) returns boolean stable set search_path=pg_catalog, pg_temp: 1c8951fdfa8f055d

-- function sales.settle(p_invoice_ids uuid[]) returns void security definer set search_path=pg_catalog, pg_temp: 8fda993e6acd4d9f

-- function sales.settle_added() returns trigger security definer set search_path=pg_catalog, pg_temp: bc90f1b19aebbafe

-- function sales.settle_as_ordered(p_invoice_id uuid, p_actor text, p_request_id uuid) returns void set search_path=pg_catalog, pg_temp: 4483b4ed1338a89c

-- function sales.settlement_kind(p_account integer) returns text immutable strict: c341e7138ce365c2

-- function sales.stamp_confirmation() returns trigger set search_path=pg_catalog, pg_temp: fb06b11cf261ee43

-- function sales.sum_booked() returns trigger security definer set search_path=pg_catalog, pg_temp set enable_seqscan=off: 0319347f37293a30

-- function sales.sum_changes(p_voucher_ids uuid[], p_ore bigint[]) returns void set search_path=pg_catalog, pg_temp set enable_seqscan=off: 84935c079595b557

-- function sales.vat_doubt(p_box text, p_vat_rate integer, p_country text, p_vat_number text) returns text immutable set search_path=pg_catalog, pg_temp: 853d0229bcaee9e8

-- function sales.voucher_amounts(p_invoice_id uuid) returns TABLE(account integer, credit_ore bigint) stable: eec2187b7a0d95ee
