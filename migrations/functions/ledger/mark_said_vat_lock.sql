-- Where somebody sets the VAT lock is kept, whatever filings move it to afterwards; lifted, nothing is said any more.
create or replace function ledger.mark_said_vat_lock() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  new.vat_lock_said_to := new.vat_locked_to;
  return new;
end $$;
