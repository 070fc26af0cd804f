-- A try that was right takes back what the wrong ones before it had counted.
create or replace function app.forget_tries(p_user_id uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.login_windows w using restricted.users u
  where u.id = p_user_id and w.subject = app.account_subject(u.email)
$$;
