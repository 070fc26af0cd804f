-- Somebody can always let others in: the last owner who may log in stays one, and one who has no password of their own
-- yet may never come. Owners who end each other at the same moment wait here in line.
create or replace function app.keep_an_owner() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('app.keep_an_owner'));
  if not exists (select from restricted.users u
      where u.id <> old.id and app.role_may(u.role, 'own') and u.deactivated_at is null
        and u.password_verifier is not null and not u.password_is_temporary) then
    raise exception 'the last owner must stay' using errcode = 'HB406', constraint = 'users_have_an_owner';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
