-- Reminders are sent on different days, of invoices that are booked, and there is no fee without an agreed right. A fee is
-- what a voucher of its own books, of just that day and amount.
create or replace function sales.judge_reminders() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join sales.reminders r on r.invoice_id = a.invoice_id
      where r.reminder_no < a.reminder_no and r.sent_date >= a.sent_date) then
    raise exception 'a reminder is sent on a later day than the one before'
      using errcode = 'HB002', constraint = 'reminders_are_on_different_days';
  end if;
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where a.fee_ore > 0 and not (i.reminder_fee_is_agreed or a.fee_is_vouched_for)) then
    raise exception 'there is no fee without an agreed right'
      using errcode = 'HB002', constraint = 'reminders_fee_is_agreed';
  end if;
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where i.status = 'draft' or i.kind <> 'invoice')
    or exists (select from added a where a.fee_ore > 0
      and not sales.books_fee(a.voucher_id, a.sent_date, 1510, 3999, a.fee_ore)) then
    raise exception 'a fee is what its voucher books'
      using errcode = 'HB002', constraint = 'reminders_are_booked';
  end if;
  return null;
end $$;
