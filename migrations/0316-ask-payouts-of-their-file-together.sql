-- Payouts are held to the bytes of their file as they are added, all of a statement at once: each by itself at the commit
-- read the whole file anew.
-- functions: purchases.orders_in, purchases.are_asked_for, purchases.require_told_file, purchases.require_told_payouts
drop trigger payment_files_are_told_whole on purchases.payouts;
create trigger payouts_are_told after insert on purchases.payouts
  referencing new table as added for each statement execute function purchases.require_told_payouts();
