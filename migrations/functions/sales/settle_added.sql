-- What remains of invoices follows what has just been written on them, and so does what their vouchers' months did.
create or replace function sales.settle_added() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_vouchers uuid[];
  v_ore bigint[];
begin
  perform sales.settle(array(select distinct invoice_id from added));
  if tg_table_name = 'payments' then
    select array_agg(a.voucher_id), array_agg(-a.amount_ore) into v_vouchers, v_ore from added a;
  elsif tg_table_name = 'reminders' then
    select array_agg(a.voucher_id), array_agg(a.fee_ore) into v_vouchers, v_ore from added a
    where a.voucher_id is not null;
  else
    select array_agg(a.voucher_id), array_agg(-r.fee_ore) into v_vouchers, v_ore from added a
    join sales.reminders r on r.invoice_id = a.invoice_id and r.reminder_no = a.reminder_no;
  end if;
  if v_vouchers is not null then perform sales.sum_changes(v_vouchers, v_ore); end if;
  return null;
end $$;
