-- A payment lessens what is left of the invoice that it says, which is a booked one, and its voucher is one
-- of a payment.
create or replace function purchases.settle_added() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from purchases.invoices i where i.id in (select a.invoice_id from added a)
    order by i.id for update;
  if exists (select from added a join purchases.invoices i on i.id = a.invoice_id
      where i.status <> 'booked') then
    raise exception 'only what is booked is paid'
      using errcode = 'HB002', constraint = 'payments_follow_their_invoice';
  end if;
  if exists (select from added a join ledger.vouchers v on v.id = a.voucher_id
      where v.source not in ('supplier_payment', 'payment')) then
    raise exception 'a payment is what its voucher books'
      using errcode = 'HB002', constraint = 'payments_are_booked';
  end if;
  update purchases.invoices i set open_ore = purchases.owed_ore(i)
    - (select coalesce(sum(p.amount_ore), 0) from purchases.payments p where p.invoice_id = i.id)
  where i.id in (select a.invoice_id from added a);
  perform purchases.sum_changes(array_agg(a.voucher_id), array_agg(-a.amount_ore))
  from added a join purchases.invoices i on i.id = a.invoice_id and i.debt_account = 2440 having count(*) > 0;
  return null;
end $$;
