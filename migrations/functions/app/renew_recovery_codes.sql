-- New codes in place of the old ones, for who has shown password and second factor.
create or replace function app.renew_recovery_codes(p_try uuid, p_secret bytea, p_step bigint,
  p_recovery_hash bytea, p_recovery_hashes bytea[]) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.has_shown_password(p_try) then return 'password'; end if;
  if not app.spend_code(v_user_id, p_secret, p_step, p_recovery_hash) then return 'code'; end if;
  perform app.spend_try(p_try, app.presented_session());
  perform app.replace_recovery_codes(v_user_id, p_recovery_hashes);
  perform app.forget_tries(v_user_id);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return 'done';
end $$;
