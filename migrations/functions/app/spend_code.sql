-- Uses up a code: a step of time that no code was used for at or after, or a recovery code that nobody has
-- used. False when it is spent; two who send the same at once wait here, and one is told so.
create or replace function app.spend_code(p_user_id uuid, p_secret bytea, p_step bigint, p_recovery_hash bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_step is not null then
    update restricted.users set totp_last_step = p_step
    where id = p_user_id and totp_hash = sha256(p_secret) and coalesce(totp_last_step, -1) < p_step;
    return found;
  end if;
  update restricted.recovery_codes set used_at = now()
  where user_id = p_user_id and hash = sha256(p_recovery_hash) and used_at is null;
  if not found then return false; end if;
  insert into audit.events (id, actor, action, subject, detail)
  values (gen_random_uuid(), 'user:' || p_user_id, 'user.recovery_code_used', p_user_id::text, '{}');
  return true;
end $$;
