-- A voucher is imported by the import that posted it, an import is undone when its vouchers are, the day that the
-- company moved in stays once invoices have been taken over on it, and a key is rotated once, into a new one.
-- functions: ledger.judge_imported, ledger.stamp_undone, sales.keep_move_day, restricted.keep_succession

create trigger imported_vouchers_are_their_imports after insert on ledger.imported_vouchers
  referencing new table as added
  for each statement when (session_user = 'hb_app') execute function ledger.judge_imported();
create trigger imports_are_undone_once before update of undone_at on ledger.imports
  for each row when (session_user = 'hb_app') execute function ledger.stamp_undone();

create trigger company_keeps_move_day before update of moved_on on restricted.company
  for each row when (new.moved_on is distinct from old.moved_on) execute function sales.keep_move_day();

drop index restricted.api_keys_by_successor;
create unique index api_keys_successor_key on restricted.api_keys (successor_id) where successor_id is not null;
create trigger keys_are_rotated_once before update of successor_id, expires_at on restricted.api_keys
  for each row when (session_user = 'hb_app') execute function restricted.keep_succession();
