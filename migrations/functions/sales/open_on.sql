-- What was open on customers' invoices as a day ended: what is open now, less what has happened to them since. Null
-- before the day whose balance brought invoices from another program: what was open then is known there alone.
-- What whole months since did is kept as it is booked; of the day's own month only its later vouchers are looked at.
create or replace function sales.open_on(p_day date) returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  v_next date := (date_trunc('month', p_day) + interval '1 month')::date;
  v_open bigint;
begin
  if p_day < (select c.moved_on from restricted.company c) then return null; end if;
  select r.open_ore - (select coalesce(sum(c.ore), 0) from sales.receivable_changes c where c.month >= v_next)
  into v_open from sales.receivables r;
  if p_day + 1 = v_next then return v_open; end if;
  return v_open - (
    with later as materialized (
      select v.id from ledger.vouchers v where v.verification_date > p_day and v.verification_date < v_next
    )
    select coalesce(sum(h.ore), 0) from (
      select case i.kind when 'invoice' then i.total_ore else -i.total_ore end as ore
      from later join sales.invoices i on i.voucher_id = later.id
      union all
      select r.fee_ore from later join sales.reminders r on r.voucher_id = later.id
      union all
      select -r.fee_ore from later join sales.withdrawn_fees w on w.voucher_id = later.id
      join sales.reminders r on r.invoice_id = w.invoice_id and r.reminder_no = w.reminder_no
      union all
      select -p.amount_ore from later join sales.payments p on p.voucher_id = later.id) as h);
end $$;
