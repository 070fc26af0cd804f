-- A temporary password for somebody else: owners for everybody, administrators for those who may less than
-- they. Operators (who are no hb_app) for everybody. False when there is no such user.
create or replace function app.reset_password(p_user_id uuid, p_salt bytea, p_cost text, p_verifier bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_role text;
begin
  select u.role into v_role from restricted.users u where u.id = p_user_id for update;
  if not app.is_operator() and not app.may('own')
      and not (app.may('administer') and not app.role_may(v_role, 'administer')) then
    raise exception 'this role may not reset that password' using errcode = 'HB405';
  end if;
  update restricted.users set password_salt = p_salt, password_cost = p_cost,
    password_verifier = p_verifier, password_is_temporary = true
  where id = p_user_id;
  perform app.forget_tries(p_user_id);
  return v_role is not null;
exception when integrity_constraint_violation then
  perform app.refuse_row(sqlstate, sqlerrm);
end $$;
