-- What is undone, paid and paid out is so by the vouchers that are said to do it, and what the bank is said to answer is
-- written down. Takes short locks on bank.undone_bookings and purchases.payouts.
-- functions: bank.judge_undone, purchases.require_paid_payout, bank.guard_provider_settlement, bank.follow_corrections
-- functions: audit.entries_due
create trigger undone_bookings_are_judged before insert on bank.undone_bookings
  for each row execute function bank.judge_undone();
create constraint trigger payouts_are_paid after update on purchases.payouts
  deferrable initially deferred for each row
  when (new.voucher_id is not null and new.voucher_id is distinct from old.voucher_id)
  execute function purchases.require_paid_payout();
create constraint trigger changes_are_written_down after update on purchases.payouts
  deferrable initially deferred for each row execute function audit.require_event('^payment_file\.');
