-- A credit note is not dated before its invoice, and takes effect from its own date or the invoice's.
create or replace function sales.judge_credit_note() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_invoice_date date := (select i.invoice_date from sales.invoices i
    where i.id = new.credited_invoice_id);
begin
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
