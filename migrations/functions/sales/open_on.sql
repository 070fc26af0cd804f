-- What was open on customers' invoices as a day ended: what is open now, less what has happened to them since. Null
-- before the day whose balance brought invoices from another program: what was open then is known there alone.
-- Whatever happens to an invoice has its voucher, so only vouchers of later days are looked at.
create or replace function sales.open_on(p_day date) returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if p_day < (select c.moved_on from restricted.company c) then return null; end if;
  return (select coalesce(sum(i.open_ore), 0) from sales.invoices i where i.open_ore <> 0) - (
    with later as materialized (
      select v.id from ledger.vouchers v where v.verification_date > p_day
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
