-- A person turns on their own second factor, once a code has shown that their device has the secret. False
-- when one is on already.
create or replace function app.turn_on_second_factor(p_try uuid, p_secret bytea, p_sealed bytea, p_step bigint,
  p_recovery_hashes bytea[]) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if v_user_id is null
      or app.spend_try(p_try, app.presented_session()) is distinct from v_user_id then
    return 'password';
  end if;
  update restricted.users
  set totp_hash = sha256(p_secret), sealed_totp_secret = p_sealed, totp_last_step = p_step
  where id = v_user_id and totp_hash is null;
  if not found then return 'on'; end if;
  perform app.replace_recovery_codes(v_user_id, p_recovery_hashes);
  perform app.forget_tries(v_user_id);
  return 'done';
exception when integrity_constraint_violation then
  perform app.refuse_row(sqlstate, sqlerrm);
end $$;
