-- A credit note is of an invoice that is booked, since a draft would owe all of it once it is; is not dated before it; and takes
-- effect from its own date or the invoice's.
create or replace function sales.judge_credit_note() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_invoice_date date;
begin
  select i.invoice_date into v_invoice_date from sales.invoices i
  where i.id = new.credited_invoice_id and i.kind = 'invoice' and i.status <> 'draft';
  if not found then
    raise exception 'a credit note is of an invoice that is booked'
      using errcode = 'HB002', constraint = 'credit_notes_follow_their_invoice';
  end if;
  if new.invoice_date < v_invoice_date then
    raise exception 'a credit note is not dated before its invoice'
      using errcode = 'HB002', constraint = 'credit_notes_follow_their_invoice';
  end if;
  if new.effective_date not in (new.invoice_date, v_invoice_date) then
    raise exception 'a credit note takes effect from its own date or its invoice''s'
      using errcode = 'HB002', constraint = 'invoices_credit_note_takes_effect';
  end if;
  return new;
end $$;
