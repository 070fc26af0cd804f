-- A new password or second factor ends every session but the one it was changed in; whoever is let out
-- loses that one too.
create or replace function app.end_old_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from restricted.sessions s
  where s.user_id = new.id
    and (new.deactivated_at is not null or s.hash is distinct from app.presented_session());
  return null;
end $$;
