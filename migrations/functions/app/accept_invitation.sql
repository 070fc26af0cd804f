-- Spends a link, once: the password that its user has chosen, and a session as after a log-in with it, so that whoever
-- has a second factor still shows that: refused | second_factor | logged_in. The session the browser had goes.
create or replace function app.accept_invitation(p_invitation bytea, p_salt bytea, p_cost text, p_verifier bytea,
  p_hash bytea, p_previous bytea, p_address inet, p_agent text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user restricted.users;
begin
  update restricted.users u set password_salt = p_salt, password_cost = p_cost, password_verifier = p_verifier,
    password_is_temporary = false, password_expires_at = null, password_given_by = null
  where u.invitation_hash = sha256(p_invitation) and u.invitation_expires_at > now() and u.deactivated_at is null
    and app.still_lets_in(u.invitation_by, u.role)
  returning u.* into v_user;
  if v_user.id is null then return 'refused'; end if;
  insert into audit.events (id, actor, action, subject, detail)
  values (gen_random_uuid(), 'user:' || v_user.id, 'user.invitation_accepted', v_user.id::text,
    jsonb_build_object('address', host(p_address)));
  perform app.forget_tries(v_user.id);
  delete from restricted.sessions where hash = sha256(p_previous);
  perform app.add_session(v_user.id, p_hash, not v_user.has_second_factor, p_address, p_agent);
  return case when v_user.has_second_factor then 'second_factor' else 'logged_in' end;
exception when integrity_constraint_violation then
  perform app.refuse_row(sqlstate, sqlerrm);
end $$;
