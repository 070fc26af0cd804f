-- Payments are of invoices that are booked, since of anything else nothing is left that they lessen. They come through
-- accounts of money; rounding, bank fees, losses and exchange differences (of invoices in other currencies alone) are rows
-- of their own kind, and receivables are set off against payables by an act of its own. No payment is dated before its
-- invoice. Money comes through other accounts only to take back what came through them: what then is left lies between
-- what was there and nothing.
create or replace function sales.judge_payments() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where i.status = 'draft' or i.kind <> 'invoice') then
    raise exception 'only an invoice that is booked is paid'
      using errcode = 'HB002', constraint = 'payments_follow_their_invoice';
  end if;
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where a.payment_date < i.invoice_date) then
    raise exception 'an invoice is not paid before its date'
      using errcode = 'HB002', constraint = 'payments_follow_their_invoice';
  end if;
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where a.kind = 'exchange' and i.currency = 'SEK') then
    raise exception 'an invoice in kronor has no exchange difference'
      using errcode = 'HB002', constraint = 'payments_exchange_is_of_currency';
  end if;
  if exists (select from added a
      cross join lateral (select sum(p.amount_ore) as ore from sales.payments p
        where p.invoice_id = a.invoice_id and p.account = a.account and p.kind = 'money') as left_over
      where a.kind = 'money' and sales.settlement_kind(a.account) is distinct from 'money'
        and left_over.ore not between least(left_over.ore - a.amount_ore, 0)
          and greatest(left_over.ore - a.amount_ore, 0)) then
    raise exception 'money does not come through that account'
      using errcode = 'HB002', constraint = 'payments_kind_is_of_account';
  end if;
  return null;
end $$;
