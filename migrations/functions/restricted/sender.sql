-- Who asks what became of what they sent: the first of the keys that were rotated into the one that calls, which may send
-- (intake:write) or is refused.
create or replace function restricted.sender() returns uuid
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('intake:write');
  return (select restricted.first_key(k.id) from restricted.api_keys k
    where k.hash = decode(current_setting('huvudbok.credential'), 'hex'));
end $$;
