-- Begins a session for whoever's password a try has shown: refused | second_factor | logged_in. The session
-- the browser had goes, so that nobody can have planted it. A refusal is answered and never raised, which
-- would take back what it writes down, and takes as long whether there is such an account or not.
create or replace function app.begin_session(p_try uuid, p_hash bytea, p_previous bytea, p_address inet,
  p_agent text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_tried uuid := (select t.user_id from restricted.password_tries t where t.id = p_try);
  v_user_id uuid := app.spend_try(p_try, null);
  v_waits boolean;
begin
  select u.has_second_factor into v_waits from restricted.users u
  where u.id = v_user_id and u.deactivated_at is null;
  if not found then
    perform app.refuse_login(v_tried, p_address);
    return 'refused';
  end if;
  delete from restricted.sessions where hash = sha256(p_previous);
  perform app.add_session(v_user_id, p_hash, not v_waits, p_address, p_agent);
  return case when v_waits then 'second_factor' else 'logged_in' end;
end $$;
