-- The key whose SHA-256 the connection has set as `huvudbok.credential`. One must know a secret to
-- name its hash, so a made-up setting opens nothing. Raises HB401 (no such key, or expired), HB402
-- (revoked) or HB403 (scope missing); true otherwise, so that it can stand in a policy.
create or replace function api.require_key(p_scope text default null) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_key restricted.api_keys;
begin
  select * into v_key from restricted.api_keys
  where hash = decode(nullif(current_setting('huvudbok.credential', true), ''), 'hex');
  if not found or v_key.expires_at <= now() then
    raise exception 'no valid key' using errcode = 'HB401';
  elsif v_key.revoked_at is not null then
    raise exception 'the key is revoked' using errcode = 'HB402';
  elsif p_scope is not null and not p_scope = any (v_key.scopes) then
    raise exception 'the key lacks scope %', p_scope using errcode = 'HB403';
  end if;
  return true;
end $$;
