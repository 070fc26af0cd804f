-- Only a fee that was charged is withdrawn, not before it was, and by a voucher of its own that takes just that back.
create or replace function sales.judge_withdrawn_fees() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a
      join sales.reminders r on r.invoice_id = a.invoice_id and r.reminder_no = a.reminder_no
      where r.fee_ore = 0 or a.withdrawn_on < r.sent_date) then
    raise exception 'only a fee that was charged is withdrawn, and not before it was'
      using errcode = 'HB002', constraint = 'withdrawn_fees_follow_their_reminder';
  end if;
  if exists (select from added a
      join sales.reminders r on r.invoice_id = a.invoice_id and r.reminder_no = a.reminder_no
      where not sales.books_fee(a.voucher_id, a.withdrawn_on, 3999, 1510, r.fee_ore)) then
    raise exception 'a fee is what its voucher books'
      using errcode = 'HB002', constraint = 'reminders_are_booked';
  end if;
  return null;
end $$;
