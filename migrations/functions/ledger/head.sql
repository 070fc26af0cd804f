-- Where the books stand: how many vouchers, and one hash of every series' head.
create or replace function ledger.head() returns table (vouchers bigint, hash bytea)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce(sum(s.last_number), 0)::bigint,
    sha256(coalesce(string_agg(s.last_hash, ''::bytea order by s.id), ''::bytea))
  from ledger.series s
$$;
