-- Holds the key, so that no token is made after its revocation and one key's are made one at a time. A
-- token lives for at most the contract's 3600 seconds, and at most 600 tokens of a key are alive: the
-- oldest make room, so that nobody who floods shuts out the agency itself. Answers when the token expires,
-- in seconds since 1970; null when the key is gone. A token lost in a power cut is exchanged for anew.
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
