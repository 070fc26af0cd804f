-- The people who log in (role hb_app): their sessions, what each role may, and how logins are slowed
-- down. Every policy looks the session up anew in every statement, so what a person may no longer do
-- stops at once, also in the middle of a call. New tables and columns; row level security on tables that
-- workers go on using as before. Locks each table for a moment.

create schema app;

alter table restricted.users
  add column name text not null default '',
  -- Given by somebody else, so it must be changed at the first login.
  add column password_is_temporary boolean not null default false,
  -- The secret of the second factor (RFC 6238), and the last step used, so that no code works twice.
  add column totp_secret bytea,
  add column totp_last_step bigint,
  add column last_login_at timestamptz,
  add constraint users_name_length check (char_length(name) <= 200);

-- Codes for whoever lost the telephone; each works once. Hashes of random secrets.
create table restricted.recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, hash),
  constraint recovery_codes_user_fkey foreign key (user_id) references restricted.users
);

-- Only the SHA-256 of what the browser holds. A session that still waits for the second factor opens
-- nothing.
create table restricted.sessions (
  hash bytea not null,
  user_id uuid not null,
  is_complete boolean not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  address inet,
  agent text not null default '',
  constraint sessions_pkey primary key (hash),
  constraint sessions_user_fkey foreign key (user_id) references restricted.users,
  constraint sessions_hash_length check (octet_length(hash) = 32),
  constraint sessions_agent_length check (char_length(agent) <= 300)
);
create index sessions_by_user on restricted.sessions (user_id);

-- What the first visit is guarded by: a secret printed where only the operator sees it. It opens an
-- installation that has no user, and nothing else.
create table restricted.setup_tokens (
  hash bytea not null,
  created_at timestamptz not null default now(),
  constraint setup_tokens_pkey primary key (hash)
);

-- Attempts to log in, by account (whether it exists or not) and by address.
create table restricted.login_windows (
  subject text not null,
  opened_at timestamptz not null,
  used bigint not null,
  constraint login_windows_pkey primary key (subject)
) with (fillfactor = 50);

-- A form is answered once: sent again, the person is shown what came of it the first time.
create table restricted.form_posts (
  id uuid not null,
  user_id uuid,
  location text not null,
  created_at timestamptz not null default now(),
  constraint form_posts_pkey primary key (id)
);
create index form_posts_created_at on restricted.form_posts (created_at);

-- Limits of a session: two hours without a call, twelve hours in all.
create function app.is_alive(p_session restricted.sessions) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select p_session.last_seen_at > now() - interval '2 hours'
    and p_session.created_at > now() - interval '12 hours'
$$;

-- The role of whoever the connection speaks for (`huvudbok.session`, the hash of a secret only they
-- hold); null when nobody. The first visit's token counts as an owner until there is a user.
create function app.current_role_name() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select u.role from restricted.sessions s join restricted.users u on u.id = s.user_id
      where s.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and s.is_complete and app.is_alive(s) and u.deactivated_at is null),
    (select 'agare' from restricted.setup_tokens t
      where t.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and not exists (select from restricted.users)))
$$;

-- What each role may: `lasare` reads, `medarbetare` keeps the books, `administrator` also administers
-- (settings, keys, locks), `agare` also owns (users).
create function app.may(p_right text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    array_position(array['lasare', 'medarbetare', 'administrator', 'agare'], app.current_role_name())
      >= array_position(array['read', 'keep_books', 'administer', 'own'], p_right), false)
$$;

-- For tables that are written by functions running as their owner: hb_app gets through only for a
-- person with the right, whatever the program forgot to ask.
create function app.require_right() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not app.may(tg_argv[0]) then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  return null;
end $$;
create trigger people_keep_books before insert on ledger.vouchers
  for each statement when (session_user = 'hb_app') execute function app.require_right('keep_books');
create trigger people_keep_books before insert or update on sales.invoices
  for each statement when (session_user = 'hb_app') execute function app.require_right('keep_books');

-- Begins a call: presents the session for the rest of the transaction and says whose it is. No row when
-- it is unknown, too old, or its user may no longer log in. A session is marked as seen once a minute.
create function app.enter(p_hash bytea)
returns table (user_id uuid, email text, name text, role text, is_complete boolean,
  password_is_temporary boolean, has_second_factor boolean, company text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform set_config('huvudbok.session', encode(p_hash, 'hex'), true);
  update restricted.sessions s set last_seen_at = now()
  where s.hash = p_hash and s.last_seen_at < now() - interval '1 minute' and app.is_alive(s);
  return query
    select u.id, u.email, u.name, u.role, s.is_complete, u.password_is_temporary,
      u.totp_secret is not null, (select c.name from restricted.company c)
    from restricted.sessions s join restricted.users u on u.id = s.user_id
    where s.hash = p_hash and app.is_alive(s) and u.deactivated_at is null;
end $$;

-- Counts an attempt before anything is looked up. An account may be tried 10 times and an address 50
-- times in a quarter of an hour; an IPv6 address is its /64. Answers the seconds to wait, 0 when none.
create function app.count_login(p_email text, p_address inet) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with counted as (
    insert into restricted.login_windows as w (subject, opened_at, used)
    select subject, now(), 1 from (values
      ('account ' || lower(left(p_email, 320))),
      ('address ' || case family(p_address)
        when 6 then text(network(set_masklen(p_address, 64))) else host(p_address) end)) as v (subject)
    order by subject
    on conflict (subject) do update set
      used = 1 + case when w.opened_at > now() - interval '15 minutes' then w.used else 0 end,
      opened_at = case when w.opened_at > now() - interval '15 minutes' then w.opened_at else now() end
    returning w.subject, w.used, w.opened_at
  )
  select coalesce(max(greatest(1, ceil(extract(epoch from opened_at + interval '15 minutes' - now()))))
    filter (where used > case when subject like 'account %' then 10 else 50 end), 0)::integer
  from counted
$$;

-- What a password is held against; no row when nobody with that address may log in.
create function app.find_login(p_email text)
returns table (user_id uuid, password_hash text, has_second_factor boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select u.id, u.password_hash, u.totp_secret is not null from restricted.users u
  where lower(u.email) = lower(p_email) and u.deactivated_at is null and u.password_hash is not null
$$;

-- A new session after a password (and, when there is one, before the second factor). The one the browser
-- had goes, so that nobody can have planted it. The account's count of attempts starts anew.
create function app.begin_session(p_user_id uuid, p_hash bytea, p_previous bytea, p_is_complete boolean,
  p_address inet, p_agent text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from restricted.sessions where hash = p_previous;
  insert into restricted.sessions (hash, user_id, is_complete, address, agent)
  values (p_hash, p_user_id, p_is_complete, p_address, left(p_agent, 300));
  if p_is_complete then
    update restricted.users set last_login_at = now() where id = p_user_id;
    insert into audit.events (id, actor, action, subject, detail)
    values (gen_random_uuid(), 'user:' || p_user_id, 'user.logged_in', p_user_id::text,
      jsonb_build_object('address', host(p_address)));
    delete from restricted.login_windows w using restricted.users u
    where u.id = p_user_id and w.subject = 'account ' || lower(u.email);
  end if;
end $$;

-- Someone had the address right and the password wrong.
create function app.refuse_login(p_user_id uuid, p_address inet) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into audit.events (id, actor, action, subject, detail)
  values (gen_random_uuid(), 'address:' || host(p_address), 'user.login_refused', p_user_id::text, '{}')
$$;

create function app.end_session(p_hash bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.sessions where hash = p_hash
$$;

-- The user of the session that is presented.
create function app.current_user_id() returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.user_id from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
    and app.is_alive(s) and u.deactivated_at is null
$$;

-- A form is claimed in the transaction of its effect: null the first time, then where that one went
-- (empty when it is not this person's to know). Whoever comes second waits for the first to commit.
create function app.claim_form(p_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_first restricted.form_posts;
begin
  insert into restricted.form_posts (id, user_id, location)
  values (p_id, app.current_user_id(), '') on conflict do nothing;
  if found then return null; end if;
  select * into v_first from restricted.form_posts where id = p_id;
  return case when v_first.user_id is not distinct from app.current_user_id() then v_first.location
    else '' end;
end $$;

create function app.form_went_to(p_id uuid, p_location text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update restricted.form_posts set location = p_location
  where id = p_id and user_id is not distinct from app.current_user_id()
$$;

-- Whether the installation waits for its first visit, which a page must know before anybody is there.
create function app.has_users() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from restricted.users)
$$;
create function app.is_setup_token(p_hash bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from restricted.setup_tokens where hash = p_hash)
    and not exists (select from restricted.users)
$$;

-- Which person may touch which table: everybody reads the books, and a right is needed to write.
-- Workers go on as their grants say.
do $$
declare
  v_table text;
  v_right text;
begin
  for v_table, v_right in
    select * from (values
      ('ledger.vouchers', null), ('ledger.voucher_rows', null), ('ledger.month_balances', null),
      ('ledger.fiscal_years', 'administer'), ('ledger.locks', 'administer'),
      ('ledger.series', 'keep_books'), ('ledger.accounts', 'keep_books'),
      ('ledger.dimensions', 'keep_books'), ('ledger.attachments', 'keep_books'),
      ('ledger.documented_vouchers', null), ('ledger.vat_filings', 'keep_books'),
      ('ledger.month_ends', 'keep_books'), ('ledger.month_totals', null),
      ('ledger.day_revenues', null), ('ledger.supplier_costs', null),
      ('sales.customers', 'keep_books'), ('sales.articles', 'keep_books'),
      ('sales.invoices', 'keep_books'), ('sales.invoice_rows', 'keep_books'),
      ('sales.invoice_numbers', null), ('sales.payments', 'keep_books'),
      ('sales.reminders', 'keep_books'), ('sales.disputes', 'keep_books'),
      ('sales.reference_rates', 'administer'), ('sales.receivables', null),
      ('sales.customer_revenues', null), ('sales.article_revenues', null),
      ('sales.day_invoices', null),
      ('purchases.suppliers', 'keep_books'), ('purchases.supplier_accounts', 'keep_books'),
      ('purchases.invoices', 'keep_books'), ('purchases.invoice_rows', 'keep_books'),
      ('purchases.attachments', 'keep_books'), ('purchases.payments', 'keep_books'),
      ('intake.orders', 'keep_books'), ('intake.order_attempts', 'keep_books'),
      ('intake.e_invoices', 'keep_books'),
      ('archive.contents', 'keep_books'), ('archive.pages', 'read'), ('archive.renderings', null),
      ('bank.accounts', 'keep_books'), ('bank.transactions', 'keep_books'),
      ('bank.statements', 'keep_books'),
      ('audit.events', 'read'), ('audit.verifications', null),
      ('restricted.company', 'administer')) as t (name, right_to_write)
  loop
    execute format('alter table %s enable row level security', v_table);
    execute format('create policy people_read on %s for select to hb_app using ((select app.may(''read'')))',
      v_table);
    if v_right is not null then
      execute format('create policy people_write on %s to hb_app using ((select app.may(%L)))',
        v_table, v_right);
    end if;
    if not exists (select from pg_policies p
        where p.schemaname || '.' || p.tablename = v_table and p.policyname = 'worker_reads') then
      execute format('create policy workers_work on %s to hb_worker using (true)', v_table);
    end if;
  end loop;
  -- What only administrators see.
  foreach v_table in array array['restricted.api_keys', 'restricted.key_windows',
      'restricted.agency_keys', 'restricted.agency_tokens', 'events.endpoints', 'events.deliveries',
      'events.attempts'] loop
    execute format('alter table %s enable row level security', v_table);
    execute format('create policy people_administer on %s to hb_app using ((select app.may(''administer'')))',
      v_table);
    execute format('create policy workers_work on %s to hb_worker using (true)', v_table);
  end loop;
end $$;

-- Everybody sees who did what; only owners change who is let in.
alter table restricted.users enable row level security;
create policy people_read on restricted.users for select to hb_app using ((select app.may('read')));
create policy people_write on restricted.users to hb_app using ((select app.may('own')));
-- A person sees and ends their own sessions.
alter table restricted.sessions enable row level security;
create policy people_see_their_own on restricted.sessions to hb_app
  using (user_id = (select app.current_user_id()));

-- What has served its time, as before (0020), with sessions, counted logins and answered forms.
drop function restricted.purge_expired();
create function restricted.purge_expired()
returns table (answers bigint, windows bigint, tokens bigint, events bigint, deliveries bigint,
  sessions bigint, forms bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from restricted.idempotency where created_at < now() - interval '72 hours';
  get diagnostics answers = row_count;
  delete from restricted.address_windows where opened_at < now() - interval '1 day';
  get diagnostics windows = row_count;
  delete from restricted.login_windows where opened_at < now() - interval '1 day';
  delete from restricted.agency_tokens where expires_at < now() - interval '1 hour';
  get diagnostics tokens = row_count;
  delete from events.outbox where occurred_at < now() - interval '90 days';
  get diagnostics events = row_count;
  delete from events.deliveries where finished_at < now() - interval '30 days';
  get diagnostics deliveries = row_count;
  delete from restricted.sessions s where not app.is_alive(s);
  get diagnostics sessions = row_count;
  delete from restricted.form_posts where created_at < now() - interval '72 hours';
  get diagnostics forms = row_count;
  return next;
end $$;
