-- A link by which a user chooses a password of their own, known by SHA-256 of what it presents; the one before it
-- opens nothing more. Without one (null), what they have is withdrawn. Until when it opens, null when there is no such
-- user or they are shut out.
create or replace function app.invite_user(p_user_id uuid, p_hash bytea) returns timestamptz
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_role text;
  v_expires_at timestamptz := app.let_in_until();
begin
  if octet_length(p_hash) <> 32 then
    raise exception 'an invitation is presented by a SHA-256' using errcode = '22023';
  end if;
  select u.role into v_role from restricted.users u where u.id = p_user_id for update;
  if not app.may_let_in(v_role) then
    raise exception 'this role may not invite that user' using errcode = 'HB405';
  end if;
  update restricted.users set invitation_hash = sha256(p_hash),
    invitation_expires_at = case when p_hash is not null then v_expires_at end,
    invitation_by = case when p_hash is not null then app.current_user_id() end
  where id = p_user_id and deactivated_at is null;
  return case when found then v_expires_at end;
end $$;
