-- A payment file's bytes ask the bank for its payouts and for nothing else; what is said of fees, payments, rows of the bank
-- and payouts is held closer by functions that are there already. New triggers: short locks on two tables of payments by file.
-- functions: purchases.require_told_file, purchases.require_whole_payout
create constraint trigger payment_files_are_told_whole after insert on purchases.payment_files
  deferrable initially deferred for each row execute function purchases.require_told_file();
create constraint trigger payment_files_are_told_whole after insert on purchases.payouts
  deferrable initially deferred for each row execute function purchases.require_told_file();
create constraint trigger payouts_are_their_parts after insert on purchases.payout_parts
  deferrable initially deferred for each row execute function purchases.require_whole_payout();
