-- What a call was answered is made of what the database told, and so is what a retry is answered.

alter table restricted.idempotency
  -- The voucher or invoice that the call made.
  add column made uuid,
  -- What was told of it, where it may have changed since: api.create_invoices.
  add column told jsonb;

update restricted.idempotency set
  made = coalesce(response::jsonb ->> 'id', response::jsonb ->> 'invoice_id')::uuid,
  told = case
    when route = 'POST /api/v1/verifikat' then null
    when status = 200 then jsonb_build_object('status', response::jsonb -> 'status',
      'number', response::jsonb -> 'invoice_number', 'ocr', response::jsonb -> 'ocr',
      'net_ore', ((response::jsonb ->> 'net_amount')::numeric * 100)::bigint,
      'vat_ore', ((response::jsonb ->> 'vat_amount')::numeric * 100)::bigint,
      'due_date', response::jsonb -> 'due_date')
    else response::jsonb - 'invoice_id' end;

alter table restricted.idempotency
  alter column made set not null,
  drop column status,
  drop column response;

drop function if exists api.post_vouchers(
  bytea[], text[], bytea[], text[], text, uuid[], text[], date[], text[], text[], text[], uuid[],
  integer[], integer[], integer[], bigint[], bigint[], text[], uuid[], uuid[], boolean, text[]);
drop function if exists api.create_invoices(
  bytea[], text[], bytea[], text[], uuid[], uuid[], uuid[], date[], date[], date[], integer[], text[], text[],
  bigint[], bigint[], boolean[], uuid[], jsonb[], integer[], integer[], integer[], bigint[], bigint[], boolean);
