-- Which keys send, and why one may not; null when it may. Whoever takes in what they send locks the keys first, so that
-- nothing is taken in after a revocation commits.
create or replace function restricted.intake_refusals(p_hash bytea[])
returns table (item bigint, key_id uuid, refusal text)
language sql set search_path = pg_catalog, pg_temp as $$
  select i.item, k.id, case
    when k.id is null or k.expires_at <= now() then 'unauthorized'
    when k.revoked_at is not null then 'key_revoked'
    when not 'intake:write' = any (k.scopes) then 'insufficient_scope' end
  from unnest(p_hash) with ordinality as i (hash, item)
  left join restricted.api_keys k on k.hash = i.hash
$$;
