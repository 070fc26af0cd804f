-- A payment of just what a sent file pays, by one voucher, is that payout. Nothing else is paid of what the bank may
-- still pay: it would be paid twice.
create or replace function purchases.follow_payouts() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_number integer;
begin
  if not exists (select from purchases.payout_parts t join added a on a.invoice_id = t.invoice_id where t.is_live) then
    return null;
  end if;
  update purchases.payouts p set voucher_id = made.voucher_id
  from (select t.payout_id, paid.voucher_id from purchases.payout_parts t
      left join (select a.invoice_id, a.voucher_id, sum(a.amount_ore) as ore from added a
        group by a.invoice_id, a.voucher_id) as paid using (invoice_id)
      where t.payout_id in (select o.payout_id from purchases.payout_parts o join added a on a.invoice_id = o.invoice_id
        where o.is_live)
      group by t.payout_id, paid.voucher_id
      having bool_and(paid.ore is not distinct from t.amount_ore)
        and count(*) = (select count(*) from purchases.payout_parts w where w.payout_id = t.payout_id)) as made
  where p.id = made.payout_id and exists (select from purchases.payment_files f
    where f.id = p.file_id and f.sent_at is not null);
  select f.number into v_number
  from purchases.payout_parts t join purchases.invoices i on i.id = t.invoice_id
  join purchases.payouts p on p.id = t.payout_id join purchases.payment_files f on f.id = p.file_id
  where t.is_live and t.invoice_id in (select a.invoice_id from added a)
    and (sign(i.open_ore) <> sign(t.amount_ore) or abs(i.open_ore) < abs(t.amount_ore))
  order by f.number limit 1;
  if found then
    raise exception 'payment file % pays it', v_number
      using errcode = 'HB002', constraint = 'payouts_pay_once', detail = v_number::text;
  end if;
  return null;
end $$;
