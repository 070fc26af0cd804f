-- Up to which day people have locked VAT, kept beside the lock that filings move further: what a filing alone has locked still waits
-- to be filed. It was told from a sentence in the audit log, which is read into the column here.
-- Takes a short lock on ledger.locks.
-- functions: ledger.mark_said_vat_lock, ledger.give_way_to_import
alter table ledger.locks add column vat_lock_said_to date;
update ledger.locks set vat_lock_said_to = (
  select nullif(subject, 'none')::date from audit.events
  where action = 'lock.vat' and detail ->> 'reason' is distinct from 'Momsdeklarationen är lämnad'
  order by occurred_at desc, id desc limit 1);
-- Filings move the lock from within a trigger of their own (ledger.lock_filed_vat): those statements are nobody's word.
create trigger locks_keep_what_is_said before update of vat_locked_to on ledger.locks
  for each row when (pg_trigger_depth() = 0) execute function ledger.mark_said_vat_lock();
