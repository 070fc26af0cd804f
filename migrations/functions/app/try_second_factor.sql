-- The second factor (RFC 6238) of the presented session's own user, to hold a code against. Every look is
-- counted first: five in a quarter of an hour, and then the seconds to wait instead of the secret. A
-- session that waits for its second factor does so for a quarter of an hour.
create or replace function app.try_second_factor() returns table (seconds_left integer, user_id uuid, sealed bytea)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_user restricted.users;
  v_window restricted.login_windows;
begin
  select u.* into v_user
  from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = app.presented_session()
    and app.is_alive(s) and (s.is_complete or s.created_at > now() - interval '15 minutes')
    and u.deactivated_at is null and u.has_second_factor;
  if not found then return; end if;
  insert into restricted.login_windows as w (subject, opened_at, used)
  values ('code ' || v_user.id, now(), 1)
  on conflict (subject) do update set
    used = 1 + case when restricted.is_open(w.opened_at, interval '15 minutes') then w.used else 0 end,
    opened_at = case when restricted.is_open(w.opened_at, interval '15 minutes') then w.opened_at else now() end
  returning w.* into v_window;
  user_id := v_user.id;
  seconds_left := case when v_window.used > 5 then greatest(1,
    ceil(extract(epoch from v_window.opened_at + interval '15 minutes' - now()))) else 0 end;
  if seconds_left = 0 then sealed := v_user.sealed_totp_secret; end if;
  return next;
end $$;
