-- What remains of invoices follows what has just been written on them.
create or replace function sales.settle_added() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  perform sales.settle(array(select distinct invoice_id from added));
  return null;
end $$;
