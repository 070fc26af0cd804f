-- Customers, articles and customer invoices. A draft may change; a booked invoice is frozen. What customers
-- owed when the books began here is an invoice without a voucher of its own: the opening balance holds the
-- sum.

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
  address text,
  postal_code text,
  city text,
  phone text,
  -- Interest that was agreed on, in hundredths of a percentage point; null means the statutory one.
  agreed_rate_e2 integer,
  -- A name as it is sorted, whatever the database's own locale is: without regard to case, and å, ä, ö after
  -- z. A column of its own, because only a plain comparison may walk an index under row level security.
  sort_name text collate "C"
    generated always as (translate(lower(name), 'ÅåÄäÆæÖöØøÉéÈèÁáÜü', '{{||||}}}}eeeeaauu')) stored,
  constraint customers_pkey primary key (id),
  constraint customers_name_length check (char_length(name) between 1 and 200),
  constraint customers_country_code_form check (country_code ~ '^[A-Z]{2}$'),
  constraint customers_payment_terms_range check (payment_terms_days between 0 and 90),
  constraint customers_address_length check (char_length(address) <= 200),
  constraint customers_postal_code_length check (char_length(postal_code) <= 20),
  constraint customers_city_length check (char_length(city) <= 100),
  constraint customers_phone_length check (char_length(phone) <= 50),
  constraint customers_agreed_rate_range check (agreed_rate_e2 between 0 and 10000)
);
create index customers_by_email on sales.customers (lower(email)) where email is not null;
create index customers_by_name on sales.customers (lower(name));
create index customers_by_organization_number
  on sales.customers (organization_number) where organization_number is not null;
create index customers_by_vat_number on sales.customers (vat_number) where vat_number is not null;
create index customers_in_order on sales.customers (sort_name, id);
alter table restricted.company add constraint company_collective_customer_fkey
  foreign key (collective_customer_id) references sales.customers;

create table sales.articles (
  number text not null,
  description text not null,
  supply text not null,
  account integer,
  is_active boolean not null default true,
  -- What an article costs unless the invoice says otherwise, without VAT, in ten-thousandths of a krona, and
  -- what it is counted in. The VAT follows from the account.
  unit_price_e4 bigint,
  unit text,
  constraint articles_pkey primary key (number),
  constraint articles_account_fkey foreign key (account) references ledger.accounts,
  constraint articles_number_length check (char_length(number) between 1 and 100),
  constraint articles_description_length check (char_length(description) between 1 and 500),
  constraint articles_supply_known check (supply in ('goods', 'services')),
  constraint articles_unit_price_range
    check (unit_price_e4 between -99999999999999 and 99999999999999),
  constraint articles_unit_length check (char_length(unit) between 1 and 20)
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
  -- A credit note is an invoice that takes back another one, with positive amounts. `open_ore` is what
  -- the customer owes on an invoice, fees included: below zero when we owe the customer. Of all invoices
  -- together it is the balance of account 1510.
  kind text not null default 'invoice',
  credited_invoice_id uuid,
  open_ore bigint not null default 0,
  agreed_rate_e2 integer,
  interest_from text not null default 'due_date',
  interest_is_stated boolean not null default true,
  reminder_fee_is_agreed boolean not null default false,
  -- From when a credit note lessens the debt, as interest sees it: its own date, or the invoice's when
  -- the claim was never right. Null on invoices.
  effective_date date,
  -- Who has said that a sale which the buyer's facts speak against is without VAT all the same.
  vat_confirmed_by text,
  -- Which of an order's debtor's facts came from the customer register; the others are the order's own.
  debtor_filled text[] not null default '{}',
  -- What the invoice was on, when part of it was settled before it came here; null when nothing was.
  original_total_ore bigint,
  -- When goods or services were delivered, if that is another day than the invoice's (mervärdesskattelagen
  -- 2023:200, 17 kap. 24 §). Null: the same day, or none that can be told.
  delivery_date date,
  constraint invoices_pkey primary key (id),
  constraint invoices_number_key unique (number),
  constraint invoices_voucher_key unique (voucher_id),
  constraint invoices_customer_fkey foreign key (customer_id) references sales.customers,
  constraint invoices_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint invoices_credited_invoice_fkey
    foreign key (credited_invoice_id) references sales.invoices,
  constraint invoices_status_known check (status in ('draft', 'booked', 'paid', 'credited')),
  constraint invoices_source_known check (source in ('order', 'api', 'app', 'opening')),
  constraint invoices_payment_terms_range check (payment_terms_days between 0 and 90),
  constraint invoices_totals_add_up check (total_ore = net_ore + vat_ore + rounding_ore),
  constraint invoices_total_not_negative check (total_ore between 0 and 999999999999),
  constraint invoices_booked_is_complete check (
    (status = 'draft' and number is null and ocr is null and voucher_id is null)
    or (status <> 'draft' and number is not null and ocr is not null and booked_at is not null)),
  constraint invoices_kind_known check (kind in ('invoice', 'credit_note')),
  constraint invoices_credit_note_names_its_invoice
    check ((kind = 'credit_note') = (credited_invoice_id is not null)),
  constraint invoices_only_booked_are_open check (open_ore = 0 or
    (status <> 'draft' and kind = 'invoice')),
  -- Only what left nothing in kronor is without a voucher, and no lock or missing year is got round by it.
  constraint invoices_amount_is_posted check
    (status = 'draft' or voucher_id is not null or total_ore = 0 or source = 'opening'),
  constraint invoices_interest_from_known check (interest_from in ('due_date', 'demand')),
  constraint invoices_credit_note_takes_effect
    check ((kind = 'credit_note') = (effective_date is not null)),
  constraint invoices_only_orders_are_filled check (source = 'order' or debtor_filled = '{}'),
  constraint invoices_opening_is_open check (source <> 'opening'
    or (status <> 'draft' and kind = 'invoice' and voucher_id is null and total_ore > 0)),
  constraint invoices_original_total check (original_total_ore is null
    or (source = 'opening' and original_total_ore > total_ore))
);
create index invoices_by_customer on sales.invoices (customer_id, invoice_date);
-- The list of all, newest first; of credited invoices with the notes that credit; and by whom it is to.
create index invoices_by_day on sales.invoices (invoice_date, id);
create index invoices_by_debtor on sales.invoices (lower(debtor ->> 'name') text_pattern_ops);
create index invoices_by_status on sales.invoices (status, invoice_date);
create index invoices_credited on sales.invoices (invoice_date, id)
  where status = 'credited' or kind = 'credit_note';
create index invoices_credits on sales.invoices (credited_invoice_id)
  where credited_invoice_id is not null;
create index invoices_open on sales.invoices (due_date) include (open_ore) where open_ore <> 0;
-- What a customer owes and what we owe a supplier, without reading all that is paid.
create index invoices_open_by_customer on sales.invoices (customer_id) include (open_ore, due_date)
  where open_ore <> 0;
create index invoices_opening on sales.invoices (number) where source = 'opening';

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
create index invoice_rows_by_article on sales.invoice_rows (article_number)
  where article_number is not null;

-- Riksbanken's reference rate per half-year (räntelagen 9 §): what default interest builds on.
-- Editable, because each half-year's rate is decided just before it begins.
create table sales.reference_rates (
  valid_from date not null,
  valid_to date not null,
  -- Hundredths of a percentage point; has been negative.
  percent_e2 integer not null,
  sfs text,
  constraint reference_rates_pkey primary key (valid_from),
  constraint reference_rates_do_not_overlap
    exclude using gist (daterange(valid_from, valid_to, '[]') with &&),
  constraint reference_rates_span check (valid_to > valid_from)
);

-- functions: sales.settlement_kind

-- Money that came in on an invoice, or went back (below zero). Written once: a payment registered by
-- mistake is taken back with one of the opposite amount.
create table sales.payments (
  id uuid not null,
  invoice_id uuid not null,
  payment_date date not null,
  amount_ore bigint not null,
  account integer not null,
  voucher_id uuid not null,
  reference text,
  created_at timestamptz not null default now(),
  created_by text not null,
  kind text not null default 'money',
  constraint payments_pkey primary key (id),
  constraint payments_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint payments_account_fkey foreign key (account) references ledger.accounts,
  constraint payments_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint payments_amount_range
    check (amount_ore <> 0 and amount_ore between -999999999999 and 999999999999),
  constraint payments_reference_length check (char_length(reference) <= 200),
  constraint payments_kind_is_of_account check (kind = 'money' or kind = coalesce(
    case kind when 'set_off' then case account when 2440 then 'set_off' end
    else sales.settlement_kind(account) end, '')),
  constraint payments_rounding_is_small
    check (kind <> 'rounding' or amount_ore between -99 and 99)
);
create index payments_by_invoice on sales.payments (invoice_id);
create index payments_by_voucher on sales.payments (voucher_id);

create table sales.reminders (
  id uuid not null,
  invoice_id uuid not null,
  -- 1 for the first.
  reminder_no integer not null,
  sent_date date not null,
  fee_ore bigint not null,
  -- Null when there is no fee to post.
  voucher_id uuid,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- A fee is agreed by the invoice's own terms, or somebody vouches that it was.
  fee_is_vouched_for boolean not null default false,
  constraint reminders_pkey primary key (id),
  constraint reminders_number_key unique (invoice_id, reminder_no),
  constraint reminders_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint reminders_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint reminders_number_positive check (reminder_no > 0),
  -- Lag 1981:739, 2 and 4 §§ with förordning 1981:1057: 60 kr at most.
  constraint reminders_fee_range check (fee_ore between 0 and 6000),
  constraint reminders_fee_is_posted check ((fee_ore > 0) = (voucher_id is not null))
);
create index reminders_by_voucher on sales.reminders (voucher_id) where voucher_id is not null;

-- Booked invoices less credit notes, without VAT, by customer and by article. Only booking writes here,
-- and it holds the invoice number series.
create table sales.customer_revenues (
  customer_id uuid not null,
  net_ore bigint not null,
  constraint customer_revenues_pkey primary key (customer_id),
  constraint customer_revenues_customer_fkey foreign key (customer_id) references sales.customers
) with (fillfactor = 50);
create index customer_revenues_by_net on sales.customer_revenues (net_ore desc);

create table sales.article_revenues (
  article_number text not null,
  account integer not null,
  net_ore bigint not null,
  constraint article_revenues_pkey primary key (article_number, account),
  constraint article_revenues_account_fkey foreign key (account) references ledger.accounts
) with (fillfactor = 50);

-- What customers owe, fees included, and how many invoices a day has: however many there are.
create table sales.receivables (
  singleton boolean not null default true,
  open_ore bigint not null,
  constraint receivables_pkey primary key (singleton),
  constraint receivables_is_single check (singleton)
) with (fillfactor = 50);
insert into sales.receivables (open_ore) values (0);

create table sales.day_invoices (
  day date not null,
  invoices bigint not null,
  constraint day_invoices_pkey primary key (day)
) with (fillfactor = 50);

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

-- When a case was first prepared as it is. Asked for again with nothing changed, it is the same case:
-- the same time on it, the same digest, and no second PDF.
create table sales.collection_cases (
  invoice_id uuid not null,
  -- Of the case as canonical JSON, save the time.
  content_sha256 bytea not null,
  prepared_at timestamptz not null,
  constraint collection_cases_pkey primary key (invoice_id, content_sha256),
  constraint collection_cases_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint collection_cases_hash_length check (octet_length(content_sha256) = 32)
);

create table sales.mails (
  id uuid not null,
  invoice_id uuid not null,
  -- `invoice` is the invoice or credit note itself.
  kind text not null,
  -- Which reminder; null for the invoice itself.
  reminder_no integer,
  sender_name text not null,
  sender text not null,
  -- Where answers go when that is not the sender.
  reply_to text,
  recipients text[] not null,
  subject text not null,
  body text not null,
  -- The page whose PDF is attached, and what the file is called.
  page_sha256 bytea not null,
  file_name text not null,
  -- The same in every attempt: by it a receiver knows a message that it has had.
  message_id text not null,
  state text not null default 'queued',
  -- Times that a mail server has been spoken to.
  attempts integer not null default 0,
  attempted_at timestamptz,
  -- The recipients that a server has taken the message for; they are not sent it again.
  delivered_to text[] not null default '{}',
  -- What went wrong the last time, in a sentence.
  last_error text,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint mails_pkey primary key (id),
  constraint mails_message_id_key unique (message_id),
  constraint mails_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint mails_reminder_fkey foreign key (invoice_id, reminder_no)
    references sales.reminders (invoice_id, reminder_no),
  constraint mails_page_fkey foreign key (page_sha256) references archive.pages,
  constraint mails_kind_known check (kind in ('invoice', 'reminder')),
  constraint mails_reminder_is_named check ((kind = 'reminder') = (reminder_no is not null)),
  constraint mails_state_known check (state in ('queued', 'sent', 'failed')),
  constraint mails_sent_has_a_time check ((state = 'sent') = (sent_at is not null)),
  constraint mails_sent_is_to_all check (state <> 'sent' or delivered_to @> recipients),
  constraint mails_delivered_to_recipients check (delivered_to <@ recipients),
  constraint mails_failed_has_a_reason check (state <> 'failed' or last_error is not null),
  constraint mails_recipients_count check (cardinality(recipients) between 1 and 5),
  constraint mails_attempts_not_negative check (attempts >= 0),
  constraint mails_subject_length check (char_length(subject) between 1 and 200),
  constraint mails_body_length check (char_length(body) between 1 and 10000),
  constraint mails_error_length check (char_length(last_error) <= 500),
  -- What becomes headers is one line each: nobody can add a header of their own.
  constraint mails_headers_are_lines check (
    concat_ws(' ', sender_name, sender, reply_to, recipients::text, subject, file_name, message_id)
    !~ '[[:cntrl:]]'),
  constraint mails_message_id_form check (message_id ~ '^<[^<>[:space:]@]+@[^<>[:space:]@]+>$')
);
create index mails_by_invoice on sales.mails (invoice_id, created_at, id);

-- Fees that were taken back, each with its own voucher.
create table sales.withdrawn_fees (
  invoice_id uuid not null,
  reminder_no integer not null,
  withdrawn_on date not null,
  reason text,
  voucher_id uuid not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint withdrawn_fees_pkey primary key (invoice_id, reminder_no),
  constraint withdrawn_fees_reminder_fkey foreign key (invoice_id, reminder_no)
    references sales.reminders (invoice_id, reminder_no),
  constraint withdrawn_fees_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint withdrawn_fees_reason_length check (char_length(reason) between 1 and 500)
);
create index withdrawn_fees_by_voucher on sales.withdrawn_fees (voucher_id);

-- functions: events.note_invoice_status, events.note_new_invoices, sales.check_new_rows
-- functions: sales.freeze_booked_invoice, sales.freeze_booked_rows, sales.judge_booked_payments
-- functions: sales.judge_credit_note, sales.judge_payment_vouchers, sales.judge_payments, sales.judge_reminders
-- functions: sales.judge_source, sales.judge_unposted, sales.judge_withdrawn_fees, sales.keep_mail
-- functions: sales.refuse_article_in_use, sales.refuse_change, sales.settle_added, sales.stamp_confirmation
-- functions: sales.sum_booked

create trigger times_are_real before insert or update of created_at on sales.customers
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_time();
create trigger articles_in_use before delete or update of number on sales.articles
  for each row execute function sales.refuse_article_in_use();
create trigger credit_notes_are_judged before insert or update of invoice_date, effective_date,
  credited_invoice_id on sales.invoices
  for each row when (new.credited_invoice_id is not null) execute function sales.judge_credit_note();
create trigger drafts_say_where_they_came_from before insert or update of source on sales.invoices
  for each row
when (current_user = session_user and ((session_user = 'hb_app' and new.source <> 'app') or (session_user =
  'hb_worker' and new.source <> 'order')))
  execute function sales.judge_source();
create trigger invoices_are_frozen before update or delete on sales.invoices
  for each row execute function sales.freeze_booked_invoice();
create trigger invoices_are_never_emptied before truncate on sales.invoices
  for each statement execute function sales.freeze_booked_invoice();
create trigger invoices_sum_booked after update on sales.invoices
  referencing old table as before new table as after
  for each statement execute function sales.sum_booked();
create trigger invoices_tell_drafted after insert on sales.invoices referencing new table as added
  for each statement execute function events.note_new_invoices();
create trigger invoices_tell_status after update of status on sales.invoices
  for each row when (old.status is distinct from new.status)
  execute function events.note_invoice_status();
create trigger invoices_without_voucher_are_judged before update on sales.invoices
  for each row when (old.status = 'draft' and new.status <> 'draft' and new.voucher_id is null)
  execute function sales.judge_unposted();
create trigger people_are_named before insert or update of created_by, created_at on sales.invoices
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_confirm before insert or update of vat_confirmed_by on sales.invoices for each row
  when (session_user in ('hb_app', 'hb_worker') and new.vat_confirmed_by is not null)
  execute function sales.stamp_confirmation();
create trigger people_keep_books before insert or update on sales.invoices
  for each statement when (session_user = 'hb_app') execute function app.require_right('keep_books');
create trigger invoice_rows_are_frozen before update or delete on sales.invoice_rows
  for each row execute function sales.freeze_booked_rows();
create trigger invoice_rows_are_never_emptied before truncate on sales.invoice_rows
  for each statement execute function sales.freeze_booked_rows();
create trigger invoice_rows_join_drafts after insert on sales.invoice_rows
  referencing new table as added for each statement execute function sales.check_new_rows();
create constraint trigger changes_are_written_down after insert or delete or update on sales.reference_rates
  deferrable initially deferred for each row
  execute function audit.require_event('^(reference_rate|company)\.');
create trigger payments_are_immutable before update or delete or truncate on sales.payments
  for each statement execute function sales.refuse_change();
create trigger payments_are_judged after insert on sales.payments
  referencing new table as added for each statement execute function sales.judge_payments();
create trigger payments_have_a_payments_voucher after insert on sales.payments
  referencing new table as added for each statement execute function sales.judge_payment_vouchers();
create trigger payments_have_their_voucher after insert on sales.payments
  referencing new table as added for each statement execute function sales.judge_booked_payments();
create trigger payments_settle after insert on sales.payments
  referencing new table as added for each statement execute function sales.settle_added();
create trigger people_are_named before insert or update on sales.payments
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_are_named before insert or update on sales.reminders
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger reminders_are_immutable before update or delete or truncate on sales.reminders
  for each statement execute function sales.refuse_change();
create trigger reminders_are_judged after insert on sales.reminders
  referencing new table as added for each statement execute function sales.judge_reminders();
create trigger reminders_settle after insert on sales.reminders
  referencing new table as added for each statement execute function sales.settle_added();
create trigger people_are_named before insert or update on sales.disputes
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger collection_cases_are_immutable before update or delete or truncate
  on sales.collection_cases for each statement execute function sales.refuse_change();
create trigger mails_are_kept before update on sales.mails
  for each row execute function sales.keep_mail();
create trigger mails_are_never_removed before delete or truncate on sales.mails
  for each statement execute function sales.refuse_change();
create trigger people_are_named before insert or update on sales.mails
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger people_are_named before insert or update on sales.withdrawn_fees
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger withdrawn_fees_are_immutable before update or delete or truncate
  on sales.withdrawn_fees for each statement execute function sales.refuse_change();
create trigger withdrawn_fees_are_judged after insert on sales.withdrawn_fees
  referencing new table as added for each statement execute function sales.judge_withdrawn_fees();
create trigger withdrawn_fees_settle after insert on sales.withdrawn_fees
  referencing new table as added for each statement execute function sales.settle_added();

alter table sales.customers enable row level security;
create policy people_read on sales.customers for select to hb_app using ((select app.may('read')));
create policy people_write on sales.customers to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.customers to hb_worker using (true);
alter table sales.articles enable row level security;
create policy people_read on sales.articles for select to hb_app using ((select app.may('read')));
create policy people_write on sales.articles to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.articles to hb_worker using (true);
alter table sales.invoice_numbers enable row level security;
create policy people_read on sales.invoice_numbers for select to hb_app using ((select app.may('read')));
create policy workers_work on sales.invoice_numbers to hb_worker using (true);
alter table sales.invoices enable row level security;
create policy people_read on sales.invoices for select to hb_app using ((select app.may('read')));
create policy people_write on sales.invoices to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.invoices to hb_worker using (true);
alter table sales.invoice_rows enable row level security;
create policy people_read on sales.invoice_rows for select to hb_app using ((select app.may('read')));
create policy people_write on sales.invoice_rows to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.invoice_rows to hb_worker using (true);
alter table sales.reference_rates enable row level security;
create policy people_read on sales.reference_rates for select to hb_app using ((select app.may('read')));
create policy people_write on sales.reference_rates to hb_app using ((select app.may('administer')));
create policy workers_work on sales.reference_rates to hb_worker using (true);
alter table sales.payments enable row level security;
create policy people_read on sales.payments for select to hb_app using ((select app.may('read')));
create policy people_write on sales.payments to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.payments to hb_worker using (true);
alter table sales.reminders enable row level security;
create policy people_read on sales.reminders for select to hb_app using ((select app.may('read')));
create policy people_write on sales.reminders to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.reminders to hb_worker using (true);
alter table sales.customer_revenues enable row level security;
create policy people_read on sales.customer_revenues for select to hb_app using ((select app.may('read')));
create policy workers_work on sales.customer_revenues to hb_worker using (true);
alter table sales.article_revenues enable row level security;
create policy people_read on sales.article_revenues for select to hb_app using ((select app.may('read')));
create policy workers_work on sales.article_revenues to hb_worker using (true);
alter table sales.receivables enable row level security;
create policy people_read on sales.receivables for select to hb_app using ((select app.may('read')));
create policy workers_work on sales.receivables to hb_worker using (true);
alter table sales.day_invoices enable row level security;
create policy people_read on sales.day_invoices for select to hb_app using ((select app.may('read')));
create policy workers_work on sales.day_invoices to hb_worker using (true);
alter table sales.disputes enable row level security;
create policy people_read on sales.disputes for select to hb_app using ((select app.may('read')));
create policy people_write on sales.disputes to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.disputes to hb_worker using (true);
alter table sales.collection_cases enable row level security;
create policy people_read on sales.collection_cases for select to hb_app using ((select app.may('read')));
-- Whoever may read a case may be the first to ask for it.
create policy people_write on sales.collection_cases to hb_app using ((select app.may('read')));
alter table sales.mails enable row level security;
create policy people_read on sales.mails for select to hb_app using ((select app.may('read')));
create policy people_send_again on sales.mails for update to hb_app
  using ((select app.may('keep_books')) and state = 'failed')
  with check ((select app.may('keep_books')) and state = 'queued');
-- People ask for a mail, and once more for one that failed; that it was sent is the worker's to say.
create policy people_write on sales.mails for insert to hb_app
  with check ((select app.may('keep_books')) and state = 'queued' and attempts = 0);
create policy workers_work on sales.mails to hb_worker using (true);
alter table sales.withdrawn_fees enable row level security;
create policy people_read on sales.withdrawn_fees for select to hb_app using ((select app.may('read')));
create policy people_write on sales.withdrawn_fees to hb_app using ((select app.may('keep_books')));
create policy workers_work on sales.withdrawn_fees to hb_worker using (true);
