-- The new password of whoever is logged in, who has just shown the old one; other sessions end.
create or replace function app.change_own_password(p_try uuid, p_salt bytea, p_cost text, p_verifier bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if v_user_id is null
      or app.spend_try(p_try, app.presented_session()) is distinct from v_user_id then
    return false;
  end if;
  update restricted.users set password_salt = p_salt, password_cost = p_cost,
    password_verifier = p_verifier, password_is_temporary = false, password_expires_at = null,
    password_given_by = null
  where id = v_user_id;
  perform app.forget_tries(v_user_id);
  return true;
exception when integrity_constraint_violation then
  perform app.refuse_row(sqlstate, sqlerrm);
end $$;
