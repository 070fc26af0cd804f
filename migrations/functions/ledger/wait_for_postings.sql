-- Whoever moves a lock, or closes or opens a year, waits for the postings in flight and holds back new ones until the commit, as
-- ledger.post_vouchers counts on.
create or replace function ledger.wait_for_postings() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform ledger.give_way_to_import();
  lock table ledger.series in exclusive mode;
  return null;
end $$;
