-- No token of an agency lives longer than an hour, and no key has more than 600 of them, whatever is asked
-- for (60 calls an hour of each sender is the program's limit). A replaced function and an index on a small
-- table.

create index agency_tokens_key on restricted.agency_tokens (key_id, expires_at);

-- As before (0017), with a life of at most the contract's 3600 seconds and at most 600 tokens of a key alive:
-- the oldest make room, so that nobody who floods shuts out the agency itself. Tokens of a key are made one
-- at a time: the key's row is held.
create or replace function agency.create_token(p_key_hash bytea, p_token_hash bytea, p_seconds integer)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_key_id uuid;
  v_expires_at timestamptz := date_trunc('second', now())
    + least(greatest(p_seconds, 1), 3600) * interval '1 second';
begin
  perform set_config('synchronous_commit', 'off', true);
  update restricted.agency_keys set last_exchanged_at = now()
  where hash = p_key_hash and revoked_at is null returning id into v_key_id;
  if not found then return null; end if;
  delete from restricted.agency_tokens t where t.hash in (
    select old.hash from restricted.agency_tokens old where old.key_id = v_key_id
    order by old.expires_at desc offset 599);
  insert into restricted.agency_tokens (hash, key_id, expires_at)
  values (p_token_hash, v_key_id, v_expires_at);
  return extract(epoch from v_expires_at)::bigint;
end $$;
