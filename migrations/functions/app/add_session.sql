-- A session for somebody who has been proved, with what it came with.
create or replace function app.add_session(p_user_id uuid, p_hash bytea, p_is_complete boolean, p_address inet,
  p_agent text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if octet_length(p_hash) <> 32 then
    raise exception 'a session is presented by a SHA-256' using errcode = '22023';
  end if;
  insert into restricted.sessions (hash, user_id, is_complete, address, agent)
  values (sha256(p_hash), p_user_id, p_is_complete, p_address, left(p_agent, 300));
  if p_is_complete then
    update restricted.users set last_login_at = now() where id = p_user_id;
    insert into audit.events (id, actor, action, subject, detail)
    values (gen_random_uuid(), 'user:' || p_user_id, 'user.logged_in', p_user_id::text,
      jsonb_build_object('address', host(p_address)));
    perform app.forget_tries(p_user_id);
  end if;
end $$;
