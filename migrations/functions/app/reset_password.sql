-- A temporary password for somebody else, by whoever may let them in. False when there is no such user.
create or replace function app.reset_password(p_user_id uuid, p_salt bytea, p_cost text, p_verifier bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_role text;
begin
  select u.role into v_role from restricted.users u where u.id = p_user_id for update;
  if not app.may_let_in(v_role) then
    raise exception 'this role may not reset that password' using errcode = 'HB405';
  end if;
  update restricted.users set password_salt = p_salt, password_cost = p_cost,
    password_verifier = p_verifier, password_is_temporary = true, password_expires_at = app.let_in_until(),
    password_given_by = app.current_user_id()
  where id = p_user_id;
  perform app.forget_tries(p_user_id);
  return v_role is not null;
exception when integrity_constraint_violation then
  perform app.refuse_row(sqlstate, sqlerrm);
end $$;
