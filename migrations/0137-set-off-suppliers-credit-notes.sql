-- functions: purchases.judge_booked_payments
-- A supplier's credit note is set off against an invoice of the same supplier: a payment of each, on one voucher
-- that has 2440 on both sides (purchases.judge_booked_payments).
alter table purchases.payments
  drop constraint payments_kind_is_of_account,
  add constraint payments_kind_is_of_account check (kind = 'money' or kind <> 'loss' and kind = coalesce(
    case kind when 'set_off' then case when account in (1510, 2440) then 'set_off' end
    else sales.settlement_kind(account) end, ''));
