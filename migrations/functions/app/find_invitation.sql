-- Whom a link lets in, null when it opens nothing: unknown, used, withdrawn, too old
-- or of somebody who may not let them in any more. Counted by the sender's address
-- as a try to log in is; seconds_left says how long until the next may be made.
create or replace function app.find_invitation(p_hash bytea, p_address inet)
returns table (seconds_left integer, email text, name text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  seconds_left := app.count_login(null, p_address);
  if seconds_left = 0 then
    select u.email, u.name into email, name from restricted.users u
    where u.invitation_hash = sha256(p_hash) and u.invitation_expires_at > now() and u.deactivated_at is null
      and app.still_lets_in(u.invitation_by, u.role);
  end if;
  return next;
end $$;
