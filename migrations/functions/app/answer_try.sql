-- Answers a try with what argon2 made of the password. Once, and without a word of whether it was right. A temporary
-- password that is too old, or of somebody who may not let them in any more, is as wrong as any other.
create or replace function app.answer_try(p_try uuid, p_raw bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update restricted.password_tries t set answered_in = pg_current_xact_id(),
    is_right = coalesce((select sha256(p_raw) = u.password_verifier from restricted.users u
      where u.id = t.user_id and u.deactivated_at is null
        and (u.password_expires_at > now() or u.password_expires_at is null)
        and app.still_lets_in(u.password_given_by, u.role)), false)
  where t.id = p_try and t.answered_in is null and t.made_at > now() - interval '15 minutes'
$$;
