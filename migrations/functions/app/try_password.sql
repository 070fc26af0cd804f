-- The person's own password, to hold what they type against. Counted as an attempt to log in is, and with
-- those: whoever found a browser open guesses no longer than anybody else.
create or replace function app.try_password() returns table (seconds_left integer, try uuid, salt bytea, cost text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_user restricted.users;
  v_window restricted.login_windows;
begin
  select * into v_user from restricted.users u where u.id = app.complete_user_id();
  if not found then return; end if;
  insert into restricted.login_windows as w (subject, opened_at, used)
  values (app.account_subject(v_user.email), now(), 1)
  on conflict (subject) do update set
    used = 1 + case when restricted.is_open(w.opened_at, interval '15 minutes') then w.used else 0 end,
    opened_at = case when restricted.is_open(w.opened_at, interval '15 minutes') then w.opened_at else now() end
  returning w.* into v_window;
  seconds_left := case when v_window.used > 10 then greatest(1,
    ceil(extract(epoch from v_window.opened_at + interval '15 minutes' - now()))) else 0 end;
  if seconds_left = 0 then
    insert into restricted.password_tries (user_id, session)
    values (v_user.id, app.presented_session()) returning id into try;
    salt := v_user.password_salt;
    cost := v_user.password_cost;
  end if;
  return next;
end $$;
