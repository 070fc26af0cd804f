-- Vouchers that need a document and have none.
create or replace function ledger.count_attachments_missing() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select (select coalesce(sum(s.last_number), 0)::bigint from ledger.series s)
    - (select coalesce(sum(d.own + d.attached), 0)::bigint from ledger.documented_vouchers d)
$$;
