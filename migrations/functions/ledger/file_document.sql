-- A document that comes to a voucher or a supplier's invoice, whichever way, waits no more.
create or replace function ledger.file_document() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.documents d set filed_at = clock_timestamp()
  where d.sha256 = new.sha256 and d.filed_at is null;
  return null;
end $$;
