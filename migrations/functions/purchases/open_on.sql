-- What was open on suppliers' invoices (2440) as a day ended, as sales.open_on has it for customers'.
create or replace function purchases.open_on(p_day date) returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if p_day < (select c.moved_on from restricted.company c) then return null; end if;
  return (select coalesce(sum(i.open_ore), 0) from purchases.invoices i
      where i.open_ore <> 0 and i.debt_account = 2440) - (
    with later as materialized (
      select v.id from ledger.vouchers v where v.verification_date > p_day
    )
    select coalesce(sum(h.ore), 0) from (
      select purchases.owed_ore(i) as ore
      from later join purchases.invoices i on i.voucher_id = later.id and i.debt_account = 2440
      union all
      select -p.amount_ore from later join purchases.payments p on p.voucher_id = later.id
      join purchases.invoices i on i.id = p.invoice_id and i.debt_account = 2440) as h);
end $$;
