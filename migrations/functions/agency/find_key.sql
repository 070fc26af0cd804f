-- unauthorized | key_revoked | valid
create or replace function agency.find_key(p_hash bytea) returns table (outcome text, agency text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when k.id is null then 'unauthorized' when k.revoked_at is not null then 'key_revoked'
    else 'valid' end, k.agency
  from (select 1) as one left join restricted.agency_keys k on k.hash = p_hash
$$;
