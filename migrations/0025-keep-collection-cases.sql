-- Customer invoices as people look for them, and collection cases that say the same each time they are
-- asked for. Three indexes on sales.invoices: writes to it wait while they are built, a few seconds for a
-- million invoices. A new table and functions; nothing is rewritten.

-- The list of all, newest first; of credited invoices with the notes that credit; and by whom it is to.
create index invoices_by_day on sales.invoices (invoice_date, id);
create index invoices_credited on sales.invoices (invoice_date, id)
  where status = 'credited' or kind = 'credit_note';
create index invoices_by_debtor on sales.invoices (lower(debtor ->> 'name') text_pattern_ops);

-- Invoices by what a person remembers of them: number, OCR, organization number, or how the name begins
-- (any part of it for customers in the register). At most so many, in no order. As its owner, because
-- under row level security no search by name may use an index: its operators are not leakproof.
create function sales.find_invoices(p_text text, p_limit integer) returns setof uuid
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  with asked as (
    select lower(p_text) as name, lower(p_text) || chr(1114111) as name_end,
      case when p_text ~ '^\d{1,9}$' then p_text::integer end as number,
      case when p_text ~ '^\d{3,11}$' then (p_text::bigint / 100)::integer end as number_in_ocr
    where app.may('read')
  )
  (select i.id from asked a join sales.invoices i on i.number = a.number)
  union
  (select i.id from asked a join sales.invoices i on i.number = a.number_in_ocr and i.ocr = p_text)
  union
  (select i.id from asked a join sales.invoices i
    on lower(i.debtor ->> 'name') ~>=~ a.name and lower(i.debtor ->> 'name') ~<~ a.name_end
    limit p_limit)
  union
  (select i.id from asked a
    join sales.customers k on strpos(lower(k.name), a.name) > 0 or k.organization_number = p_text
    cross join lateral (select id from sales.invoices where customer_id = k.id
      order by invoice_date desc limit p_limit) as i
    limit p_limit)
  limit p_limit
$$;

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
create trigger collection_cases_are_immutable before update or delete or truncate
  on sales.collection_cases for each statement execute function sales.refuse_change();
alter table sales.collection_cases enable row level security;
create policy people_read on sales.collection_cases for select to hb_app
  using ((select app.may('read')));
-- Whoever may read a case may be the first to ask for it.
create policy people_write on sales.collection_cases to hb_app using ((select app.may('read')));

-- What an event tells, as before (0013); of a draft that has been deleted since, that there was one.
create or replace function events.describe(p_type text, p_subject uuid) returns jsonb
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case split_part(p_type, '.', 1)
    when 'voucher' then (
      select jsonb_build_object('id', v.id, 'series', v.series, 'number', v.number,
        'label', v.series || v.number, 'verification_date', v.verification_date, 'source', v.source)
      from ledger.vouchers v where v.id = p_subject)
    when 'invoice' then coalesce((
      select jsonb_build_object('invoice_id', i.id, 'kind', i.kind, 'source', i.source,
          'customer_id', i.customer_id, 'invoice_date', i.invoice_date, 'due_date', i.due_date,
          'total', trim_scale(i.total_ore / 100.0))
        || case when p_type = 'invoice.drafted' then '{}' else jsonb_build_object(
          'invoice_number', i.number, 'ocr', i.ocr, 'voucher_id', i.voucher_id) end
      from sales.invoices i where i.id = p_subject), jsonb_build_object('invoice_id', p_subject))
    when 'order' then (
      select jsonb_build_object('orderId', o.id, 'attemptId', a.id, 'externalId', o.external_id)
        || case when p_type = 'order.rejected' then jsonb_build_object('reason', a.reason)
          else '{}' end
      from intake.order_attempts a join intake.orders o on o.id = a.order_id where a.id = p_subject)
    when 'e_invoice' then (
      select jsonb_build_object('documentId', e.id, 'documentSha256', encode(e.sha256, 'hex'),
        'draftId', e.draft_id)
      from intake.e_invoices e where e.id = p_subject)
    else jsonb_build_object('id', p_subject) end
$$;
