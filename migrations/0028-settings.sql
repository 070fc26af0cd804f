-- What administrators and people themselves look after: the latest calls of every key, keys that are
-- replaced, users of whom one always owns, and the second factor. New tables and functions; a generated
-- column rewrites restricted.users (a handful of rows); one partial index on deliveries.

-- A key that was rotated names the one that takes its place.
alter table restricted.api_keys
  add column successor_id uuid,
  add constraint api_keys_successor_fkey foreign key (successor_id) references restricted.api_keys,
  add constraint api_keys_successor_is_another check (successor_id <> id);

-- The latest hundred calls of each key, as a ring: a call takes the place of the one a hundred before it,
-- so however much a key calls, its log stays a few pages that are updated in place.
create table restricted.key_call_counts (
  key_id uuid not null,
  calls bigint not null,
  constraint key_call_counts_pkey primary key (key_id),
  constraint key_call_counts_key_fkey foreign key (key_id) references restricted.api_keys
) with (fillfactor = 50);

create table restricted.key_calls (
  key_id uuid not null,
  place smallint not null,
  called_at timestamptz not null,
  -- Method and path as the route has it, without what the caller filled in.
  route text not null,
  status smallint not null,
  -- The error code, null when the call was answered as it wished.
  code text,
  duration_ms integer not null,
  request_id uuid not null,
  constraint key_calls_pkey primary key (key_id, place),
  constraint key_calls_key_fkey foreign key (key_id) references restricted.api_keys,
  constraint key_calls_place_range check (place between 0 and 99)
) with (fillfactor = 50);

alter table restricted.key_calls enable row level security;
create policy people_administer on restricted.key_calls for select to hb_app
  using ((select app.may('administer')));

-- Writes down calls, many at once. Whoever calls must know the hash of the key's secret, as for everything
-- else that key traffic does. Losing the last moments of the log in a power cut is fine.
create function api.record_calls(p_hash bytea[], p_called_at timestamptz[], p_route text[],
  p_status integer[], p_code text[], p_duration_ms integer[], p_request_id uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  with call as materialized (
    select k.id as key_id, i.called_at, i.route, i.status, i.code, i.duration_ms, i.request_id,
      row_number() over (partition by k.id order by i.item) as nth,
      count(*) over (partition by k.id) as total
    from unnest(p_hash, p_called_at, p_route, p_status, p_code, p_duration_ms, p_request_id)
      with ordinality as i (hash, called_at, route, status, code, duration_ms, request_id, item)
    join restricted.api_keys k on k.hash = i.hash
  ), counted as (
    -- In key order, so that two processes never wait for each other crosswise.
    insert into restricted.key_call_counts as c (key_id, calls)
    select key_id, count(*) from call group by key_id order by key_id
    on conflict (key_id) do update set calls = c.calls + excluded.calls
    returning c.key_id, c.calls
  )
  insert into restricted.key_calls as c
    (key_id, place, called_at, route, status, code, duration_ms, request_id)
  select call.key_id, (counted.calls - call.total + call.nth - 1) % 100, call.called_at,
    left(call.route, 200), call.status, call.code, call.duration_ms, call.request_id
  from call join counted on counted.key_id = call.key_id
  where call.total - call.nth < 100
  order by 1, 2
  on conflict (key_id, place) do update set called_at = excluded.called_at, route = excluded.route,
    status = excluded.status, code = excluded.code, duration_ms = excluded.duration_ms,
    request_id = excluded.request_id;
end $$;

-- Failed deliveries are few among many; the page that asks for them must not go through the rest.
create index deliveries_failed on events.deliveries (endpoint_id, created_at, id)
  where state = 'failed';

-- Whether somebody has a second factor is no secret; the secret itself no login reads.
alter table restricted.users
  add column has_second_factor boolean not null generated always as (totp_secret is not null) stored,
  add constraint users_totp_secret_length check (octet_length(totp_secret) between 16 and 64);

-- Somebody can always let others in: the last owner who may log in stays one. Owners who end each other at
-- the same moment wait here in line.
create function app.keep_an_owner() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('app.keep_an_owner'));
  if not exists (select from restricted.users u
      where u.id <> old.id and u.role = 'agare' and u.deactivated_at is null) then
    raise exception 'the last owner must stay' using errcode = 'HB406', constraint = 'users_have_an_owner';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger users_have_an_owner before update of role, deactivated_at on restricted.users
  for each row when (old.role = 'agare' and old.deactivated_at is null
    and (new.role <> 'agare' or new.deactivated_at is not null))
  execute function app.keep_an_owner();
create trigger users_have_an_owner_left before delete on restricted.users
  for each row when (old.role = 'agare' and old.deactivated_at is null)
  execute function app.keep_an_owner();

-- A new password or second factor ends every session but the one it was changed in; whoever is let out
-- loses that one too.
create function app.end_old_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from restricted.sessions s
  where s.user_id = new.id and (new.deactivated_at is not null or s.hash is distinct from
    decode(nullif(current_setting('huvudbok.session', true), ''), 'hex'));
  return null;
end $$;
create trigger users_end_old_sessions
  after update of password_hash, deactivated_at, totp_secret on restricted.users
  for each row when (old.password_hash is distinct from new.password_hash
    or (old.deactivated_at is null and new.deactivated_at is not null)
    or old.totp_secret is distinct from new.totp_secret)
  execute function app.end_old_sessions();

-- Owners see everybody's sessions, and end them.
create policy owners_see_all on restricted.sessions to hb_app using ((select app.may('own')));

-- The user of the presented session once both factors are passed.
create function app.complete_user_id() returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when app.current_role_name() is not null then app.current_user_id() end
$$;

-- A person changes their own name and password, and nothing else of themselves.
create function app.rename_self(p_name text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update restricted.users set name = p_name where id = app.complete_user_id()
$$;
create function app.change_own_password(p_password_hash text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update restricted.users set password_hash = p_password_hash, password_is_temporary = false
  where id = app.complete_user_id();
  delete from restricted.login_windows w using restricted.users u
  where u.id = app.complete_user_id() and w.subject = 'account ' || lower(u.email);
$$;

-- The person's own password, to hold what they type against. Counted as an attempt to log in is, and with
-- those: whoever found a browser open guesses no longer than anybody else.
create function app.try_password() returns table (seconds_left integer, password_hash text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user restricted.users;
  v_window restricted.login_windows;
begin
  select * into v_user from restricted.users u where u.id = app.complete_user_id();
  if not found then return; end if;
  insert into restricted.login_windows as w (subject, opened_at, used)
  values ('account ' || lower(v_user.email), now(), 1)
  on conflict (subject) do update set
    used = 1 + case when w.opened_at > now() - interval '15 minutes' then w.used else 0 end,
    opened_at = case when w.opened_at > now() - interval '15 minutes' then w.opened_at else now() end
  returning w.* into v_window;
  seconds_left := case when v_window.used > 10 then greatest(1,
    ceil(extract(epoch from v_window.opened_at + interval '15 minutes' - now()))) else 0 end;
  if seconds_left = 0 then password_hash := v_user.password_hash; end if;
  return next;
end $$;

-- A temporary password for somebody else: owners for everybody, administrators for those who may less than
-- they. Operators (who are no hb_app) for everybody. False when there is no such user.
create function app.reset_password(p_user_id uuid, p_password_hash text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_role text;
begin
  select u.role into v_role from restricted.users u where u.id = p_user_id for update;
  if session_user = 'hb_app' and not app.may('own')
      and not (app.may('administer') and coalesce(v_role in ('medarbetare', 'lasare'), true)) then
    raise exception 'this role may not reset that password' using errcode = 'HB405';
  end if;
  update restricted.users set password_hash = p_password_hash, password_is_temporary = true
  where id = p_user_id;
  delete from restricted.login_windows w using restricted.users u
  where u.id = p_user_id and w.subject = 'account ' || lower(u.email);
  return v_role is not null;
end $$;

-- The second factor (RFC 6238) of the presented session's own user, to hold a code against. Every look is
-- counted first: five in a quarter of an hour, and then the seconds to wait instead of the secret. A
-- session that waits for its second factor does so for a quarter of an hour.
create function app.try_second_factor() returns table (seconds_left integer, secret bytea)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid;
  v_window restricted.login_windows;
begin
  select s.user_id into v_user_id
  from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
    and app.is_alive(s) and (s.is_complete or s.created_at > now() - interval '15 minutes')
    and u.deactivated_at is null and u.totp_secret is not null;
  if not found then return; end if;
  insert into restricted.login_windows as w (subject, opened_at, used)
  values ('code ' || v_user_id, now(), 1)
  on conflict (subject) do update set
    used = 1 + case when w.opened_at > now() - interval '15 minutes' then w.used else 0 end,
    opened_at = case when w.opened_at > now() - interval '15 minutes' then w.opened_at else now() end
  returning w.* into v_window;
  if v_window.used > 5 then
    seconds_left := greatest(1,
      ceil(extract(epoch from v_window.opened_at + interval '15 minutes' - now())));
  else
    seconds_left := 0;
    secret := (select u.totp_secret from restricted.users u where u.id = v_user_id);
  end if;
  return next;
end $$;

-- Uses up a code: a step of time that no code was used for at or after, or a recovery code that nobody has
-- used. False when it is spent; two who send the same at once wait here, and one is told so.
create function app.spend_code(p_user_id uuid, p_step bigint, p_recovery_hash bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_step is not null then
    update restricted.users set totp_last_step = p_step
    where id = p_user_id and totp_secret is not null and coalesce(totp_last_step, -1) < p_step;
    return found;
  end if;
  update restricted.recovery_codes set used_at = now()
  where user_id = p_user_id and hash = p_recovery_hash and used_at is null;
  if not found then return false; end if;
  insert into audit.events (id, actor, action, subject, detail)
  values (gen_random_uuid(), 'user:' || p_user_id, 'user.recovery_code_used', p_user_id::text, '{}');
  return true;
end $$;

-- The second step of logging in: the code is spent, and a new session takes the waiting one's place.
create function app.complete_session(p_hash bytea, p_step bigint, p_recovery_hash bytea, p_address inet,
  p_agent text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_waiting bytea := decode(nullif(current_setting('huvudbok.session', true), ''), 'hex');
  v_user_id uuid;
begin
  select s.user_id into v_user_id
  from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = v_waiting and not s.is_complete and app.is_alive(s) and u.deactivated_at is null
  for update of s;
  if not found or not app.spend_code(v_user_id, p_step, p_recovery_hash) then return false; end if;
  perform app.begin_session(v_user_id, p_hash, v_waiting, true, p_address, p_agent);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return true;
end $$;

create function app.replace_recovery_codes(p_user_id uuid, p_hashes bytea[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.recovery_codes where user_id = p_user_id;
  insert into restricted.recovery_codes (user_id, hash) select p_user_id, unnest(p_hashes);
$$;

-- A person turns on their own second factor, once a code has shown that their device has the secret. False
-- when one is on already.
create function app.turn_on_second_factor(p_secret bytea, p_step bigint, p_recovery_hashes bytea[])
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  update restricted.users set totp_secret = p_secret, totp_last_step = p_step
  where id = v_user_id and totp_secret is null;
  if not found then return false; end if;
  perform app.replace_recovery_codes(v_user_id, p_recovery_hashes);
  return true;
end $$;

create function app.turn_off_second_factor(p_step bigint, p_recovery_hash bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.spend_code(v_user_id, p_step, p_recovery_hash) then return false; end if;
  update restricted.users set totp_secret = null, totp_last_step = null where id = v_user_id;
  perform app.replace_recovery_codes(v_user_id, '{}');
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return true;
end $$;

create function app.renew_recovery_codes(p_step bigint, p_recovery_hash bytea,
  p_recovery_hashes bytea[]) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.spend_code(v_user_id, p_step, p_recovery_hash) then return false; end if;
  perform app.replace_recovery_codes(v_user_id, p_recovery_hashes);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return true;
end $$;

create function app.count_recovery_codes() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::integer from restricted.recovery_codes
  where user_id = app.complete_user_id() and used_at is null
$$;

-- For whoever has lost both telephone and codes: an owner turns the second factor off, or an operator.
-- False when there is no such user, or nothing was on.
create function app.remove_second_factor(p_user_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('own') then
    raise exception 'only owners turn off the second factor of others' using errcode = 'HB405';
  end if;
  update restricted.users set totp_secret = null, totp_last_step = null
  where id = p_user_id and totp_secret is not null;
  if not found then return false; end if;
  perform app.replace_recovery_codes(p_user_id, '{}');
  delete from restricted.login_windows where subject = 'code ' || p_user_id;
  return true;
end $$;
