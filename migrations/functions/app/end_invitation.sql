-- Whoever has a password of their own, another address or no way in any more is not let in by an old link.
create or replace function app.end_invitation() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.invitation_hash := null;
  new.invitation_expires_at := null;
  new.invitation_by := null;
  return new;
end $$;
