-- What must be read again is sealed with a key that is not in the database: webhooks' secrets and those of
-- second factors (docs/decisions/0010-sealed-secrets.md). What was in clear text is moved aside, where only
-- the owner reads it, until the program has sealed it (src/secrets/service.ts). Rewrites restricted.users;
-- a few rows everywhere.

-- Which key the installation's secrets are sealed with, by its id: no part of it.
create table restricted.secrets_key (
  singleton boolean not null default true,
  key_id text not null,
  set_at timestamptz not null default now(),
  constraint secrets_key_pkey primary key (singleton),
  constraint secrets_key_is_single check (singleton),
  constraint secrets_key_id_form check (key_id ~ '^[0-9a-f]{16}$')
);

-- Secrets in clear text on their way to `place` (src/secrets/places.ts) of the row.
create table restricted.clear_secrets (
  place text not null,
  row_id uuid not null,
  secret bytea not null,
  constraint clear_secrets_pkey primary key (place, row_id)
);
insert into restricted.clear_secrets (place, row_id, secret)
select 'second_factor', id, totp_secret from restricted.users where totp_secret is not null
union all
select 'webhook', id, convert_to(secret, 'UTF8') from events.endpoints
union all
select 'webhook_previous', id, convert_to(previous_secret, 'UTF8') from events.endpoints
where previous_secret_until > now();

-- The secret is random, so its SHA-256 tells nothing: whoever presents the secret is known by it.
drop trigger users_end_old_sessions on restricted.users;
alter table restricted.users
  drop column has_second_factor,
  add column totp_hash bytea,
  add column sealed_totp_secret bytea,
  add constraint users_totp_hash_length check (octet_length(totp_hash) = 32);
update restricted.users set totp_hash = sha256(totp_secret);
alter table restricted.users
  drop column totp_secret,
  add column has_second_factor boolean not null generated always as (totp_hash is not null) stored,
  add constraint users_sealed_needs_hash check (sealed_totp_secret is null or totp_hash is not null);
create trigger users_end_old_sessions
  after update of password_verifier, deactivated_at, totp_hash on restricted.users
  for each row when (old.password_verifier is distinct from new.password_verifier
    or (old.deactivated_at is null and new.deactivated_at is not null)
    or old.totp_hash is distinct from new.totp_hash)
  execute function app.end_old_sessions();

-- As before (0076), with the column that the secret has now.
drop trigger changes_are_written_down on events.endpoints;

alter table events.endpoints
  drop constraint endpoints_rotation_is_whole,
  drop column secret,
  drop column previous_secret,
  add column sealed_secret bytea,
  add column previous_sealed_secret bytea,
  -- The key that opens it, as the sealed bytes themselves say (src/secrets/seal.ts).
  add column secret_key_id text generated always as (encode(substr(sealed_secret, 2, 8), 'hex')) stored;
create constraint trigger changes_are_written_down
  after insert or update of url, types, sealed_secret, disabled_at or delete on events.endpoints
  deferrable initially deferred for each row execute function audit.require_event('^webhook\.');

-- Gives an endpoint its new secret; the one it had signs beside it for a day, if it can be read.
create function events.replace_secret(p_id uuid, p_sealed bytea, p_keeps boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.is_operator() and not app.may('administer') then
    raise exception 'only administrators give webhooks new secrets' using errcode = 'HB405';
  end if;
  update events.endpoints set sealed_secret = p_sealed,
    previous_sealed_secret = case when p_keeps then sealed_secret end,
    previous_secret_until = case when p_keeps then now() + interval '1 day' end
  where id = p_id;
  return found;
end $$;

-- As before (0018), with secrets as they are sealed, newest first; null for none that is sealed yet.
drop function events.take(uuid[]);
create function events.take(p_ids uuid[])
returns table (id uuid, endpoint_id uuid, event_id uuid, type text, attempt integer, url text,
  sealed bytea[], body text)
language sql set search_path = pg_catalog, pg_temp as $$
  update events.deliveries d
  set attempts = d.attempts + 1, next_attempt_at = now() + interval '1 minute'
  from events.endpoints e
  where d.id = any (p_ids) and d.state = 'pending' and e.id = d.endpoint_id
  returning d.id, d.endpoint_id, d.event_id, d.type, d.attempts, e.url,
    array_remove(array[e.sealed_secret,
      case when e.previous_secret_until > now() then e.previous_sealed_secret end], null),
    events.body_of(d.event_id, d.type, d.occurred_at, d.subject)::text
$$;

-- The second factor, from here on: who asks presents the secret, which only a process with the key can open.
drop function app.try_second_factor();
create function app.try_second_factor() returns table (seconds_left integer, user_id uuid, sealed bytea)
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
    used = 1 + case when w.opened_at > now() - interval '15 minutes' then w.used else 0 end,
    opened_at = case when w.opened_at > now() - interval '15 minutes' then w.opened_at else now() end
  returning w.* into v_window;
  user_id := v_user.id;
  seconds_left := case when v_window.used > 5 then greatest(1,
    ceil(extract(epoch from v_window.opened_at + interval '15 minutes' - now()))) else 0 end;
  if seconds_left = 0 then sealed := v_user.sealed_totp_secret; end if;
  return next;
end $$;

-- Uses up a code: a step of time that no code was used for at or after, by whoever presents the secret, or
-- a recovery code that nobody has used. Two who send the same at once wait here, and one gets false.
drop function app.spend_code(uuid, bigint, bytea);
create function app.spend_code(p_user_id uuid, p_secret bytea, p_step bigint, p_recovery_hash bytea)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_step is not null then
    update restricted.users set totp_last_step = p_step
    where id = p_user_id and totp_hash = sha256(p_secret) and coalesce(totp_last_step, -1) < p_step;
    return found;
  end if;
  update restricted.recovery_codes set used_at = now()
  where user_id = p_user_id and hash = sha256(p_recovery_hash) and used_at is null;
  if not found then return false; end if;
  insert into audit.events (id, actor, action, subject, detail)
  values (gen_random_uuid(), 'user:' || p_user_id, 'user.recovery_code_used', p_user_id::text, '{}');
  return true;
end $$;

drop function app.complete_session(bytea, bigint, bytea, inet, text);
create function app.complete_session(p_hash bytea, p_secret bytea, p_step bigint,
  p_recovery_hash bytea, p_address inet, p_agent text) returns boolean
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
  if not app.spend_code(v_user_id, p_secret, p_step, p_recovery_hash) then
    perform app.refuse_login(v_user_id, p_address);
    return false;
  end if;
  delete from restricted.sessions where hash = v_waiting;
  perform app.add_session(v_user_id, p_hash, true, p_address, p_agent);
  delete from restricted.login_windows where subject = 'code ' || v_user_id;
  return true;
end $$;

drop function app.turn_on_second_factor(uuid, bytea, bigint, bytea[]);
create function app.turn_on_second_factor(p_try uuid, p_secret bytea, p_sealed bytea, p_step bigint,
  p_recovery_hashes bytea[]) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if v_user_id is null
      or app.spend_try(p_try, app.presented_session()) is distinct from v_user_id then
    return 'password';
  end if;
  update restricted.users
  set totp_hash = sha256(p_secret), sealed_totp_secret = p_sealed, totp_last_step = p_step
  where id = v_user_id and totp_hash is null;
  if not found then return 'on'; end if;
  perform app.replace_recovery_codes(v_user_id, p_recovery_hashes);
  perform app.forget_tries(v_user_id);
  return 'done';
end $$;

-- Nothing is left of a second factor, neither its recovery codes nor what was counted.
create function app.clear_second_factor(p_user_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update restricted.users set totp_hash = null, sealed_totp_secret = null, totp_last_step = null
  where id = p_user_id and totp_hash is not null;
  if not found then return false; end if;
  delete from restricted.clear_secrets where place = 'second_factor' and row_id = p_user_id;
  perform app.replace_recovery_codes(p_user_id, '{}');
  delete from restricted.login_windows where subject = 'code ' || p_user_id;
  return true;
end $$;

drop function app.turn_off_second_factor(uuid, bigint, bytea);
create function app.turn_off_second_factor(p_try uuid, p_secret bytea, p_step bigint,
  p_recovery_hash bytea) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.has_shown_password(p_try) then return 'password'; end if;
  if not app.spend_code(v_user_id, p_secret, p_step, p_recovery_hash) then return 'code'; end if;
  perform app.spend_try(p_try, app.presented_session());
  perform app.clear_second_factor(v_user_id);
  perform app.forget_tries(v_user_id);
  return 'done';
end $$;

drop function app.renew_recovery_codes(uuid, bigint, bytea, bytea[]);
create function app.renew_recovery_codes(p_try uuid, p_secret bytea, p_step bigint,
  p_recovery_hash bytea, p_recovery_hashes bytea[]) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_user_id uuid := app.complete_user_id();
begin
  if not app.has_shown_password(p_try) then return 'password'; end if;
  if not app.spend_code(v_user_id, p_secret, p_step, p_recovery_hash) then return 'code'; end if;
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
  return app.clear_second_factor(p_user_id);
end $$;
