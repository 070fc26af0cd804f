-- What stands on a voucher or a supplier's invoice already waits for none.
create or replace function ledger.place_document() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.filed_at := case when exists (select from ledger.attachments a where a.sha256 = new.sha256)
    or exists (select from purchases.attachments a where a.sha256 = new.sha256) then clock_timestamp() end;
  return new;
end $$;
