-- E-mails with invoices, credit notes and reminders: what was sent to whom, and how that went. A new
-- table and a trigger function; nothing is rewritten.

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

-- What was sent is evidence: it stays, as it was. Until then only how it goes may change.
create function sales.keep_mail() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  c_moving constant text[] := array['state', 'attempts', 'attempted_at', 'delivered_to', 'last_error', 'sent_at'];
begin
  if old.state = 'sent' or to_jsonb(new) - c_moving is distinct from to_jsonb(old) - c_moving then
    raise exception 'a mail is never changed'
      using errcode = 'HB001', constraint = 'mails_are_kept';
  end if;
  return new;
end $$;
create trigger mails_are_kept before update on sales.mails
  for each row execute function sales.keep_mail();
create trigger mails_are_never_removed before delete or truncate on sales.mails
  for each statement execute function sales.refuse_change();

alter table sales.mails enable row level security;
create policy people_read on sales.mails for select to hb_app using ((select app.may('read')));
-- People ask for a mail, and once more for one that failed; that it was sent is the worker's to say.
create policy people_write on sales.mails for insert to hb_app
  with check ((select app.may('keep_books')) and state = 'queued' and attempts = 0);
create policy people_send_again on sales.mails for update to hb_app
  using ((select app.may('keep_books')) and state = 'failed')
  with check ((select app.may('keep_books')) and state = 'queued');
create policy workers_work on sales.mails to hb_worker using (true);
