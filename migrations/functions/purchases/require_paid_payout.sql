-- At the commit: the voucher that a payout is said to be booked by pays just its parts, and no more payouts than it is of.
create or replace function purchases.require_paid_payout() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from purchases.payouts p where p.id = new.id and p.voucher_id = new.voucher_id)
    and (exists (select from purchases.payout_parts t where t.payout_id = new.id and t.invoice_id is not null
        and t.amount_ore is distinct from (select sum(a.amount_ore) from purchases.payments a
          where a.voucher_id = new.voucher_id and a.invoice_id = t.invoice_id))
      or (select sum(p.amount_ore) from purchases.payouts p where p.voucher_id = new.voucher_id)
        > (select v.total_ore from ledger.vouchers v where v.id = new.voucher_id)) then
    raise exception 'voucher % is not what payout % pays', new.voucher_id, new.id
      using errcode = 'HB002', constraint = 'payouts_are_paid';
  end if;
  return null;
end $$;
