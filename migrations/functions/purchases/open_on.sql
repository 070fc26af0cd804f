-- What was open on suppliers' invoices (2440) as a day ended, as sales.open_on has it for customers'.
create or replace function purchases.open_on(p_day date) returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  v_next date := (date_trunc('month', p_day) + interval '1 month')::date;
  v_open bigint;
begin
  if p_day < (select c.moved_on from restricted.company c) then return null; end if;
  select coalesce(sum(i.open_ore), 0)
    - (select coalesce(sum(c.ore), 0) from purchases.payable_changes c where c.month >= v_next)
  into v_open from purchases.invoices i where i.open_ore <> 0 and i.debt_account = 2440;
  if p_day + 1 = v_next then return v_open; end if;
  return v_open - (
    with later as materialized (
      select v.id from ledger.vouchers v where v.verification_date > p_day and v.verification_date < v_next
    )
    select coalesce(sum(h.ore), 0) from (
      select purchases.owed_ore(i) as ore
      from later join purchases.invoices i on i.voucher_id = later.id and i.debt_account = 2440
      union all
      select -p.amount_ore from later join purchases.payments p on p.voucher_id = later.id
      join purchases.invoices i on i.id = p.invoice_id and i.debt_account = 2440) as h);
end $$;
