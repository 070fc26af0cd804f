-- Nobody becomes somebody by SQL. What hb_app reads is never enough to be let in: of a password the
-- database gives out salt and cost and keeps the verifier, and of a session it keeps a hash of what is
-- presented (docs/decisions/0009-proving-who-logs-in.md). Rewrites restricted.users and
-- restricted.sessions, a handful of rows each; whoever is logged in stays so, and every password works on.

-- argon2id's result is 32 bytes; the verifier is their SHA-256, so that even who reads it must guess the
-- password. The cost is written as in the PHC string: m=19456,t=2,p=1.
alter table restricted.users
  add column password_salt bytea,
  add column password_cost text,
  add column password_verifier bytea;
create function pg_temp.from_phc(p_text text) returns bytea language sql as $$
  select decode(p_text || repeat('=', (4 - length(p_text) % 4) % 4), 'base64')
$$;
update restricted.users set
  password_cost = split_part(password_hash, '$', 4),
  password_salt = pg_temp.from_phc(split_part(password_hash, '$', 5)),
  password_verifier = sha256(pg_temp.from_phc(split_part(password_hash, '$', 6)))
where password_hash ~ '^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]{43}$';
drop function pg_temp.from_phc(text);
drop trigger users_end_old_sessions on restricted.users;
alter table restricted.users
  drop column password_hash,
  add constraint users_password_is_whole
    check (num_nulls(password_salt, password_cost, password_verifier) in (0, 3)),
  add constraint users_password_salt_length check (octet_length(password_salt) between 8 and 64),
  add constraint users_password_cost_form
    check (password_cost ~ '^m=[0-9]{1,6},t=[0-9]{1,2},p=[0-9]{1,2}$'),
  add constraint users_password_verifier_length check (octet_length(password_verifier) = 32);
create trigger users_end_old_sessions
  after update of password_verifier, deactivated_at, totp_secret on restricted.users
  for each row when (old.password_verifier is distinct from new.password_verifier
    or (old.deactivated_at is null and new.deactivated_at is not null)
    or old.totp_secret is distinct from new.totp_secret)
  execute function app.end_old_sessions();

-- A session is known by the SHA-256 of what is presented (itself the SHA-256 of what the browser holds), a
-- recovery code likewise: whoever reads the row cannot present it.
update restricted.sessions set hash = sha256(hash);
update restricted.recovery_codes set hash = sha256(hash);

-- Out of which the salts of addresses without an account are made, the same each time.
create table restricted.login_salt (
  singleton boolean not null default true,
  secret bytea not null,
  constraint login_salt_pkey primary key (singleton),
  constraint login_salt_is_single check (singleton)
);
insert into restricted.login_salt (secret)
values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Tries of a password: counted when made, judged when answered, and told of only once both are committed.
-- Whoever rolls back to try again has learnt nothing by then.
create table restricted.password_tries (
  id uuid not null default gen_random_uuid(),
  -- Null when nobody with that address may log in.
  user_id uuid,
  -- The session it was made in, by somebody who shows that they are still themselves; null to log in.
  session bytea,
  made_at timestamptz not null default now(),
  answered_in xid8,
  is_right boolean,
  constraint password_tries_pkey primary key (id),
  constraint password_tries_user_fkey foreign key (user_id) references restricted.users,
  constraint password_tries_answered check ((answered_in is null) = (is_right is null))
);
create index password_tries_made_at on restricted.password_tries (made_at);

-- Whoever owns the database: commands on the server. A login of ours never is.
create function app.is_operator() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select pg_has_role(session_user, current_user, 'member')
$$;

-- What the transaction presents, as the database knows it; null when nothing.
create function app.presented_session() returns bytea
language sql stable set search_path = pg_catalog, pg_temp as $$
  select sha256(decode(nullif(current_setting('huvudbok.session', true), ''), 'hex'))
$$;

create or replace function app.current_role_name() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select u.role from restricted.sessions s join restricted.users u on u.id = s.user_id
      where s.hash = app.presented_session()
        and s.is_complete and app.is_alive(s) and u.deactivated_at is null),
    (select 'agare' from restricted.setup_tokens t
      where t.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and t.created_at > now() - interval '24 hours'
        and (t.claimed_by = pg_current_xact_id_if_assigned()
          or not exists (select from restricted.users))))
$$;

create or replace function app.current_user_id() returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.user_id from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = app.presented_session() and app.is_alive(s) and u.deactivated_at is null
$$;

-- One that still waits for its second factor ends nothing.
drop policy people_see_their_own on restricted.sessions;
create policy people_see_their_own on restricted.sessions to hb_app
  using (user_id = (select app.complete_user_id()));

-- As before (0023), with what is presented hashed once more.
create or replace function app.enter(p_hash bytea)
returns table (user_id uuid, email text, name text, role text, is_complete boolean,
  password_is_temporary boolean, has_second_factor boolean, company text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_known bytea := sha256(p_hash);
begin
  perform set_config('huvudbok.session', encode(p_hash, 'hex'), true);
  update restricted.sessions s set last_seen_at = now()
  where s.hash = v_known and s.last_seen_at < now() - interval '1 minute' and app.is_alive(s);
  return query
    select u.id, u.email, u.name, u.role, s.is_complete, u.password_is_temporary,
      u.has_second_factor, (select c.name from restricted.company c)
    from restricted.sessions s join restricted.users u on u.id = s.user_id
    where s.hash = v_known and app.is_alive(s) and u.deactivated_at is null;
end $$;

create or replace function app.end_session(p_hash bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.sessions where hash = sha256(p_hash)
$$;

create or replace function app.end_old_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from restricted.sessions s
  where s.user_id = new.id
    and (new.deactivated_at is not null or s.hash is distinct from app.presented_session());
  return null;
end $$;

-- The address of a password, counted as every try of it is.
create function app.account_subject(p_email text) returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select 'account ' || lower(left(p_email, 320))
$$;

create function app.forget_tries(p_user_id uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.login_windows w using restricted.users u
  where u.id = p_user_id and w.subject = app.account_subject(u.email)
$$;

-- Counts a try and says what the password is to be hashed with. An address without an account gets a salt
-- made up out of the installation's secret and the cost of somebody who has one, the same each time. When
-- there are seconds to wait there is nothing else.
drop function app.find_login(text);
create function app.find_login(p_email text, p_address inet)
returns table (seconds_left integer, try uuid, salt bytea, cost text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_user restricted.users;
  v_secret bytea := (select l.secret || convert_to(lower(p_email), 'UTF8') from restricted.login_salt l);
  v_cost text := (select u.password_cost from restricted.users u where u.password_verifier is not null
    order by sha256(v_secret || uuid_send(u.id)) limit 1);
begin
  seconds_left := app.count_login(p_email, p_address);
  if seconds_left = 0 then
    delete from restricted.password_tries t where t.id in (
      select old.id from restricted.password_tries old
      where old.made_at < now() - interval '15 minutes' for update skip locked);
    -- Also of somebody who is shut out: a salt that changed would tell that they are.
    select * into v_user from restricted.users u
    where lower(u.email) = lower(p_email) and u.password_verifier is not null;
    salt := coalesce(v_user.password_salt, substr(sha256(v_secret), 1, 16));
    cost := coalesce(v_user.password_cost, v_cost, 'm=19456,t=2,p=1');
    insert into restricted.password_tries (user_id)
    values (case when v_user.deactivated_at is null then v_user.id end) returning id into try;
  end if;
  return next;
end $$;

-- The same for the person at the browser, who must show that they are still themselves. No row without one.
drop function app.try_password();
create function app.try_password() returns table (seconds_left integer, try uuid, salt bytea, cost text)
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
    used = 1 + case when w.opened_at > now() - interval '15 minutes' then w.used else 0 end,
    opened_at = case when w.opened_at > now() - interval '15 minutes' then w.opened_at else now() end
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

-- Answers a try with what argon2 made of the password. Once, and without a word of whether it was right.
create function app.answer_try(p_try uuid, p_raw bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update restricted.password_tries t set answered_in = pg_current_xact_id(),
    is_right = coalesce((select sha256(p_raw) = u.password_verifier from restricted.users u
      where u.id = t.user_id and u.deactivated_at is null), false)
  where t.id = p_try and t.answered_in is null and t.made_at > now() - interval '15 minutes'
$$;

-- Uses up an answered try: whose password it was, null when it was wrong or belongs to another session.
create function app.spend_try(p_try uuid, p_session bytea) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_try restricted.password_tries;
begin
  delete from restricted.password_tries t
  where t.id = p_try and t.answered_in is not null and t.session is not distinct from p_session
    and t.made_at > now() - interval '15 minutes'
  returning * into v_try;
  if v_try.answered_in = pg_current_xact_id() then
    raise exception 'a try is told of only once it has been committed' using errcode = 'HB405';
  end if;
  return case when v_try.is_right then v_try.user_id end;
end $$;

-- Whether the person at the browser has just shown their password in this session; spends nothing.
create function app.has_shown_password(p_try uuid) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from restricted.password_tries t
    where t.id = p_try and t.is_right and t.answered_in <> pg_current_xact_id()
      and t.made_at > now() - interval '15 minutes'
      and t.session = app.presented_session() and t.user_id = app.complete_user_id())
$$;

-- A new session, by functions that know whose it is to be.
drop function app.begin_session(uuid, bytea, bytea, boolean, inet, text);
create function app.add_session(p_user_id uuid, p_hash bytea, p_is_complete boolean, p_address inet,
  p_agent text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if octet_length(p_hash) <> 32 then
    raise exception 'a session is presented by a SHA-256' using errcode = '22023';
  end if;
  insert into restricted.sessions (hash, user_id, is_complete, address, agent)
  values (sha256(p_hash), p_user_id, p_is_complete, p_address, left(p_agent, 300));
  if p_is_complete then
    update restricted.users set last_login_at = now() where id = p_user_id;
    insert into audit.events (id, actor, action, subject, detail)
    values (gen_random_uuid(), 'user:' || p_user_id, 'user.logged_in', p_user_id::text,
      jsonb_build_object('address', host(p_address)));
    perform app.forget_tries(p_user_id);
  end if;
end $$;

-- Begins a session for whoever's password a try has shown: refused | second_factor | logged_in. The session
-- the browser had goes, so that nobody can have planted it. A refusal is answered and never raised, which
-- would take back what it writes down, and takes as long whether there is such an account or not.
create function app.begin_session(p_try uuid, p_hash bytea, p_previous bytea, p_address inet,
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

-- The first owner, who has just been made in this transaction by whoever holds the setup token.
create function app.begin_first_session(p_user_id uuid, p_hash bytea, p_address inet, p_agent text)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from restricted.setup_tokens t
      where t.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and t.claimed_by = pg_current_xact_id_if_assigned()) then
    raise exception 'only the first visit begins a session without a password' using errcode = 'HB405';
  end if;
  perform app.add_session(p_user_id, p_hash, true, p_address, p_agent);
end $$;

-- A user, by an owner, by the first visit or by an operator.
create function app.create_user(p_id uuid, p_email text, p_name text, p_role text, p_salt bytea,
  p_cost text, p_verifier bytea, p_is_temporary boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.is_operator() and not app.may('own') then
    raise exception 'only owners make users' using errcode = 'HB405';
  end if;
  insert into restricted.users (id, email, name, role, password_salt, password_cost, password_verifier,
    password_is_temporary)
  values (p_id, p_email, p_name, p_role, p_salt, p_cost, p_verifier, p_is_temporary);
end $$;

-- Of the person at the browser, who has shown the old one. False when they have not.
drop function app.change_own_password(text);
create function app.change_own_password(p_try uuid, p_salt bytea, p_cost text, p_verifier bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if v_user_id is null
      or app.spend_try(p_try, app.presented_session()) is distinct from v_user_id then
    return false;
  end if;
  update restricted.users set password_salt = p_salt, password_cost = p_cost,
    password_verifier = p_verifier, password_is_temporary = false
  where id = v_user_id;
  perform app.forget_tries(v_user_id);
  return true;
end $$;

-- As before (0028).
drop function app.reset_password(uuid, text);
create function app.reset_password(p_user_id uuid, p_salt bytea, p_cost text, p_verifier bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_role text;
begin
  select u.role into v_role from restricted.users u where u.id = p_user_id for update;
  if not app.is_operator() and not app.may('own')
      and not (app.may('administer') and coalesce(v_role in ('medarbetare', 'lasare'), true)) then
    raise exception 'this role may not reset that password' using errcode = 'HB405';
  end if;
  update restricted.users set password_salt = p_salt, password_cost = p_cost,
    password_verifier = p_verifier, password_is_temporary = true
  where id = p_user_id;
  perform app.forget_tries(p_user_id);
  return v_role is not null;
end $$;

create or replace function app.try_second_factor() returns table (seconds_left integer, secret bytea)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid;
  v_window restricted.login_windows;
begin
  select s.user_id into v_user_id
  from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = app.presented_session()
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

create or replace function app.spend_code(p_user_id uuid, p_step bigint, p_recovery_hash bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_step is not null then
    update restricted.users set totp_last_step = p_step
    where id = p_user_id and totp_secret is not null and coalesce(totp_last_step, -1) < p_step;
    return found;
  end if;
  update restricted.recovery_codes set used_at = now()
  where user_id = p_user_id and hash = sha256(p_recovery_hash) and used_at is null;
  if not found then return false; end if;
  insert into audit.events (id, actor, action, subject, detail)
  values (gen_random_uuid(), 'user:' || p_user_id, 'user.recovery_code_used', p_user_id::text, '{}');
  return true;
end $$;

create or replace function app.replace_recovery_codes(p_user_id uuid, p_hashes bytea[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.recovery_codes where user_id = p_user_id;
  insert into restricted.recovery_codes (user_id, hash) select p_user_id, sha256(h) from unnest(p_hashes) h;
$$;

-- As before (0028); a code that proves nothing (both null) or is spent is written down as refused.
create or replace function app.complete_session(p_hash bytea, p_step bigint, p_recovery_hash bytea,
  p_address inet, p_agent text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_waiting bytea := app.presented_session();
  v_user_id uuid;
begin
  select s.user_id into v_user_id
  from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = v_waiting and not s.is_complete and app.is_alive(s) and u.deactivated_at is null
  for update of s;
  if not found then return false; end if;
  if not app.spend_code(v_user_id, p_step, p_recovery_hash) then
    perform app.refuse_login(v_user_id, p_address);
    return false;
  end if;
  delete from restricted.sessions where hash = v_waiting;
  perform app.add_session(v_user_id, p_hash, true, p_address, p_agent);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return true;
end $$;

-- A person turns on their own second factor: password | on | done.
drop function app.turn_on_second_factor(bytea, bigint, bytea[]);
create function app.turn_on_second_factor(p_try uuid, p_secret bytea, p_step bigint,
  p_recovery_hashes bytea[]) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if v_user_id is null
      or app.spend_try(p_try, app.presented_session()) is distinct from v_user_id then
    return 'password';
  end if;
  update restricted.users set totp_secret = p_secret, totp_last_step = p_step
  where id = v_user_id and totp_secret is null;
  if not found then return 'on'; end if;
  perform app.replace_recovery_codes(v_user_id, p_recovery_hashes);
  perform app.forget_tries(v_user_id);
  return 'done';
end $$;

-- password | code | done. A try is spent only when the code is right too.
drop function app.turn_off_second_factor(bigint, bytea);
create function app.turn_off_second_factor(p_try uuid, p_step bigint, p_recovery_hash bytea) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.has_shown_password(p_try) then return 'password'; end if;
  if not app.spend_code(v_user_id, p_step, p_recovery_hash) then return 'code'; end if;
  perform app.spend_try(p_try, app.presented_session());
  update restricted.users set totp_secret = null, totp_last_step = null where id = v_user_id;
  perform app.replace_recovery_codes(v_user_id, '{}');
  perform app.forget_tries(v_user_id);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return 'done';
end $$;

drop function app.renew_recovery_codes(bigint, bytea, bytea[]);
create function app.renew_recovery_codes(p_try uuid, p_step bigint, p_recovery_hash bytea,
  p_recovery_hashes bytea[]) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.has_shown_password(p_try) then return 'password'; end if;
  if not app.spend_code(v_user_id, p_step, p_recovery_hash) then return 'code'; end if;
  perform app.spend_try(p_try, app.presented_session());
  perform app.replace_recovery_codes(v_user_id, p_recovery_hashes);
  perform app.forget_tries(v_user_id);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return 'done';
end $$;

create or replace function app.remove_second_factor(p_user_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.is_operator() and not app.may('own') then
    raise exception 'only owners turn off the second factor of others' using errcode = 'HB405';
  end if;
  update restricted.users set totp_secret = null, totp_last_step = null
  where id = p_user_id and totp_secret is not null;
  if not found then return false; end if;
  perform app.replace_recovery_codes(p_user_id, '{}');
  delete from restricted.login_windows where subject = 'code ' || p_user_id;
  return true;
end $$;
