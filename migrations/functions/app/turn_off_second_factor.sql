-- A person turns off their own second factor, with the password and a code of it.
create or replace function app.turn_off_second_factor(p_try uuid, p_secret bytea, p_step bigint,
  p_recovery_hash bytea) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.has_shown_password(p_try) then return 'password'; end if;
  if not app.spend_code(v_user_id, p_secret, p_step, p_recovery_hash) then return 'code'; end if;
  perform app.spend_try(p_try, app.presented_session());
  perform app.clear_second_factor(v_user_id);
  perform app.forget_tries(v_user_id);
  return 'done';
end $$;
