-- Begins a call: presents the session for the rest of the transaction and says whose it is. No row when it
-- is unknown, too old, or its user may no longer log in. A session is marked as seen once a minute. What is
-- presented is hashed once more: what is stored lets nobody in.
create or replace function app.enter(p_hash bytea)
returns table (user_id uuid, email text, name text, role text, is_complete boolean,
  password_is_temporary boolean, has_second_factor boolean, company text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_known bytea := sha256(p_hash);
begin
  perform set_config('huvudbok.session', encode(p_hash, 'hex'), true);
  update restricted.sessions s set last_seen_at = now()
  where s.hash = v_known and s.last_seen_at < now() - interval '1 minute' and app.is_alive(s);
  return query
    select u.id, u.email, u.name, u.role, s.is_complete, u.password_is_temporary,
      u.has_second_factor, (select c.name from restricted.company c)
    from restricted.sessions s join restricted.users u on u.id = s.user_id
    where s.hash = v_known and app.is_alive(s) and u.deactivated_at is null;
end $$;
