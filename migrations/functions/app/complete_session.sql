-- The second step of logging in: the code is spent, and a new session takes the waiting one's place. A code
-- that proves nothing (both null) or is spent is written down as refused.
create or replace function app.complete_session(p_hash bytea, p_secret bytea, p_step bigint,
  p_recovery_hash bytea, p_address inet, p_agent text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_waiting bytea := app.presented_session();
  v_user_id uuid;
begin
  select s.user_id into v_user_id
  from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = v_waiting and not s.is_complete and app.is_alive(s) and u.deactivated_at is null
  for update of s;
  if not found then return false; end if;
  if not app.spend_code(v_user_id, p_secret, p_step, p_recovery_hash) then
    perform app.refuse_login(v_user_id, p_address);
    return false;
  end if;
  delete from restricted.sessions where hash = v_waiting;
  perform app.add_session(v_user_id, p_hash, true, p_address, p_agent);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return true;
end $$;
