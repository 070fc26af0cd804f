-- A user, by an owner, by the first visit or by an operator; without a password (null) one who comes by a link.
create or replace function app.create_user(p_id uuid, p_email text, p_name text, p_role text, p_salt bytea,
  p_cost text, p_verifier bytea, p_is_temporary boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.is_operator() and not app.may('own') then
    raise exception 'only owners make users' using errcode = 'HB405';
  end if;
  insert into restricted.users (id, email, name, role, password_salt, password_cost, password_verifier,
    password_is_temporary, password_expires_at, password_given_by)
  values (p_id, p_email, p_name, p_role, p_salt, p_cost, p_verifier, p_is_temporary,
    case when p_is_temporary then app.let_in_until() end,
    case when p_is_temporary then app.current_user_id() end);
end $$;
