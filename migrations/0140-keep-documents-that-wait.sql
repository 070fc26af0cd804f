-- Documents that came before anybody knew which voucher they belong to, pictures as telephones take them, and
-- keys that may leave documents.
-- functions: archive.refuse_change, audit.stamp_created, audit.require_event, ledger.place_document
-- functions: ledger.file_document

-- What it is, as it came, and what is known of it: its day, its amount in öre, and whom it is from.
create table ledger.documents (
  id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  media_type text not null,
  document_date date,
  amount_ore bigint,
  counterparty text,
  -- Why nobody is to look for its voucher; it is kept all the same.
  set_aside text,
  -- When it came to a voucher or a supplier's invoice.
  filed_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint documents_pkey primary key (id),
  constraint documents_content_key unique (sha256),
  constraint documents_content_fkey foreign key (sha256) references archive.contents,
  constraint documents_file_name_length check (char_length(file_name) between 1 and 200),
  constraint documents_file_name_is_plain check (file_name !~ '[/\\[:cntrl:]]'),
  constraint documents_media_type_known check (media_type in ('application/pdf', 'image/png',
    'image/jpeg', 'image/heic', 'text/csv', 'text/plain', 'application/xml')),
  constraint documents_amount_range check (amount_ore between 1 and 999999999999),
  constraint documents_counterparty_length check (char_length(counterparty) between 1 and 200),
  constraint documents_set_aside_length check (char_length(set_aside) between 1 and 500)
);
create index documents_waiting on ledger.documents (id) where filed_at is null and set_aside is null;
create index documents_by_amount on ledger.documents (amount_ore)
  where filed_at is null and set_aside is null;
create index documents_set_aside on ledger.documents (id) where filed_at is null and set_aside is not null;
create index documents_filed on ledger.documents (id) where filed_at is not null;

create index attachments_by_content on ledger.attachments (sha256);
create index attachments_by_content on purchases.attachments (sha256);
alter table ledger.attachments drop constraint attachments_media_type_known,
  add constraint attachments_media_type_known check (media_type in ('application/pdf', 'image/png',
    'image/jpeg', 'image/heic', 'text/csv', 'text/plain', 'application/xml'));
alter table purchases.attachments drop constraint attachments_media_type_known,
  add constraint attachments_media_type_known check (media_type in ('application/pdf', 'image/png',
    'image/jpeg', 'image/heic', 'text/csv', 'text/plain', 'application/xml',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.oasis.opendocument.spreadsheet'));

create trigger documents_stay before delete or truncate on ledger.documents
  for each statement execute function archive.refuse_change();
create trigger documents_know_their_place before insert on ledger.documents
  for each row execute function ledger.place_document();
create trigger people_are_named before insert or update on ledger.documents
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create constraint trigger changes_are_written_down after insert or update on ledger.documents
  deferrable initially deferred for each row execute function audit.require_event('^document\.');
create trigger attachments_file_documents after insert on ledger.attachments
  for each row execute function ledger.file_document();
create trigger attachments_file_documents after insert on purchases.attachments
  for each row execute function ledger.file_document();

alter table ledger.documents enable row level security;
create policy people_read on ledger.documents for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.documents to hb_app using ((select app.may('keep_books')));

alter table restricted.api_keys drop constraint api_keys_scopes_known,
  add constraint api_keys_scopes_known check (
    scopes <@ array['data:read', 'intake:write', 'ledger:write', 'documents:write'] and cardinality(scopes) > 0);
