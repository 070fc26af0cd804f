-- Nothing is left of a second factor, neither its recovery codes nor what was counted.
create or replace function app.clear_second_factor(p_user_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update restricted.users set totp_hash = null, sealed_totp_secret = null, totp_last_step = null
  where id = p_user_id and totp_hash is not null;
  if not found then return false; end if;
  perform app.replace_recovery_codes(p_user_id, '{}');
  delete from restricted.login_windows where subject = 'code ' || p_user_id;
  return true;
end $$;
