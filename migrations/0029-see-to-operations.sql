-- What the first visit, the overview, the operations page and the audit log stand on: setup tokens that
-- expire and are claimed once, the statistics' figures for people too, processes that say they live, the
-- job queue and the database as administrators see them, and audit events that are found again. Small
-- tables; indexes on audit.events (seconds a million events, while nobody writes one).

-- The transaction that sets up with a token. Until it commits it goes on as owner although it has made
-- the first user; afterwards its number never comes again.
alter table restricted.setup_tokens add column claimed_by xid8;

-- A token opens an installation for a day.
create or replace function app.current_role_name() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select u.role from restricted.sessions s join restricted.users u on u.id = s.user_id
      where s.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and s.is_complete and app.is_alive(s) and u.deactivated_at is null),
    (select 'agare' from restricted.setup_tokens t
      where t.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and t.created_at > now() - interval '24 hours'
        and (t.claimed_by = pg_current_xact_id_if_assigned()
          or not exists (select from restricted.users))))
$$;

create or replace function app.is_setup_token(p_hash bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from restricted.setup_tokens t
      where t.hash = p_hash and t.created_at > now() - interval '24 hours')
    and not exists (select from restricted.users)
$$;

-- Begins the set-up: holds everybody else who would make a user, and presents the token for the rest of
-- the transaction. False when it opens nothing, as for the second of two at once.
create function app.claim_setup(p_hash bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table restricted.users in share row exclusive mode;
  if not app.is_setup_token(p_hash) then return false; end if;
  update restricted.setup_tokens set claimed_by = pg_current_xact_id() where hash = p_hash;
  perform set_config('huvudbok.session', encode(p_hash, 'hex'), true);
  return true;
end $$;

-- What the first visit must know before there is anybody: the company, when the command line made it.
create function app.company_name() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.name from restricted.company c
$$;

-- Where the books stand: how many vouchers, and one hash of every series' head.
create function ledger.head() returns table (vouchers bigint, hash bytea)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce(sum(s.last_number), 0)::bigint,
    sha256(coalesce(string_agg(s.last_hash, ''::bytea order by s.id), ''::bytea))
  from ledger.series s
$$;

create or replace function api.installation()
returns table (schema_version integer, vat_period text, vat_large_taxpayer boolean, vat_yearly text,
  vat_digital boolean, vouchers bigint, head_hash bytea)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform api.require_key();
  return query
    select (select count(*)::integer from migration.applied), c.vat_period, c.vat_large_taxpayer,
      c.vat_yearly, c.vat_digital, h.vouchers, h.hash
    from restricted.company c cross join ledger.head() h;
end $$;

-- The overview's figures, in one snapshot and öre; rounding is the caller's. p_limit: how many of each
-- kind are named.
create function ledger.overview_figures(p_limit integer) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  v_answer jsonb;
begin
  with balance as materialized (
    select b.account, sum(b.debit_ore - b.credit_ore)::bigint as ore from ledger.month_balances b
    where b.account between 1900 and 1999 or b.account = 2440 or b.account between 3000 and 3999
    group by b.account
  ), service as (
    select a.article_number as article, null::integer as account,
      coalesce(min(r.description), a.article_number) as name, sum(a.net_ore)::bigint as ore
    from sales.article_revenues a left join sales.articles r on r.number = a.article_number
    group by a.article_number
    union all
    select null, b.account, n.name, -b.ore - coalesce((select sum(a.net_ore)
      from sales.article_revenues a where a.account = b.account), 0)::bigint
    from balance b join ledger.accounts n on n.number = b.account
    where b.account between 3000 and 3999
  ), named_service as (
    select * from service where ore <> 0 order by ore desc, article, account limit p_limit
  ), customer as (
    select t.customer_id as id, k.name, t.net_ore as ore
    from sales.customer_revenues t join sales.customers k on k.id = t.customer_id
    where t.net_ore <> 0 order by t.net_ore desc, t.customer_id limit p_limit
  ), supplier as (
    select c.counterparty as name, sum(c.cost_ore)::bigint as ore
    from ledger.supplier_costs c group by c.counterparty having sum(c.cost_ore) <> 0
    order by 2 desc, 1 limit p_limit
  ), money as (
    select b.account, n.name, b.ore
    from balance b join ledger.accounts n on n.number = b.account
    where b.account between 1900 and 1999
  )
  select jsonb_build_object(
    'first_day', (select min(v.verification_date) from ledger.vouchers v),
    'months', (select coalesce(jsonb_agg(m order by m.month), '[]') from ledger.month_results() m),
    'attachments_missing', ledger.count_attachments_missing(),
    'services', (select coalesce(jsonb_agg(s order by s.ore desc, s.article, s.account), '[]')
      from named_service s),
    'customers', (select coalesce(jsonb_agg(c order by c.ore desc, c.id), '[]') from customer c),
    'suppliers', (select coalesce(jsonb_agg(s order by s.ore desc, s.name), '[]') from supplier s),
    'liquidity', (select coalesce(jsonb_agg(m order by m.account), '[]') from money m),
    'receivables', (select r.open_ore from sales.receivables r),
    'payables', coalesce((select -b.ore from balance b where b.account = 2440), 0),
    'ledger_head', (select jsonb_build_object('vouchers', h.vouchers, 'hash', encode(h.hash, 'hex'))
      from ledger.head() h))
  into v_answer;
  return v_answer;
end $$;

-- GET /api/stats/overview.
create or replace function api.overview_statistics(p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return ledger.overview_figures(p_limit);
end $$;

-- Which processes run: each says so every quarter of a minute, and how many jobs of each queue it handled
-- in the latest minute.
create table restricted.processes (
  id uuid not null,
  host text not null,
  pid integer not null,
  parts text[] not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  handled jsonb not null default '{}',
  constraint processes_pkey primary key (id),
  constraint processes_host_length check (char_length(host) <= 300)
) with (fillfactor = 50);

-- Nobody waits for the disk for this; those that died without a word are forgotten after a day.
create function restricted.note_process(p_id uuid, p_host text, p_pid integer, p_parts text[],
  p_version text, p_started_at timestamptz, p_handled jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into restricted.processes as p (id, host, pid, parts, version, started_at, handled)
  values (p_id, left(p_host, 300), p_pid, p_parts, p_version, p_started_at, p_handled)
  on conflict (id) do update set seen_at = now(), handled = excluded.handled;
  delete from restricted.processes where seen_at < now() - interval '1 day';
end $$;

create function restricted.forget_process(p_id uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.processes where id = p_id
$$;

alter table restricted.processes enable row level security;
create policy people_administer on restricted.processes to hb_app
  using ((select app.may('administer')));

create function app.require_administrator() returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if not app.may('administer') then
    raise exception 'this role may not see to operations' using errcode = 'HB405';
  end if;
end $$;

-- Each queue: how many wait (counted to ten thousand) and since when, how many are at work, and how many
-- lie in its dead letters.
create function app.queue_states()
returns table (queue text, waiting integer, oldest timestamptz, active integer, dead integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform app.require_administrator();
  return query
    select q.name,
      (select count(*)::integer from (select from pgboss.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
        limit 10000) as ready),
      (select j.created_on from pgboss.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
        order by j.priority desc, j.created_on limit 1),
      (select count(*)::integer from pgboss.job j where j.name = q.name and j.state = 'active'),
      (select count(*)::integer from (select from pgboss.job j
        where j.name = q.dead_letter and j.state < 'active' and not j.blocked limit 10000) as failed)
    from pgboss.queue q where q.dead_letter is not null order by q.name;
end $$;

-- How many jobs have failed for good and wait for somebody.
create function app.count_dead_jobs() returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.require_administrator();
  return (select count(*) from pgboss.queue q join pgboss.job j on j.name = q.dead_letter
    where j.state < 'active' and not j.blocked);
end $$;

-- The latest of them: what the job was to do, and what it said when it failed.
create function app.list_dead_jobs(p_limit integer)
returns table (queue text, id uuid, payload jsonb, failed_at timestamptz, attempts integer, failure text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform app.require_administrator();
  return query
    select q.name, j.id, j.data, j.created_on, j.source_retry_count + 1,
      left(coalesce(j.source_output ->> 'message', j.source_output #>> '{value,message}',
        j.source_output::text, j.output ->> 'message'), 2000)
    from pgboss.queue q
    cross join lateral (select * from pgboss.job j
      where j.name = q.dead_letter and j.state < 'active' and not j.blocked
      order by j.created_on desc, j.id limit p_limit) as j
    order by j.created_on desc, j.id limit p_limit;
end $$;

-- Puts dead letters back on their queue, all of them or those named, and says how many. Asked for twice,
-- the second finds nothing.
create function app.retry_dead_jobs(p_queue text, p_ids uuid[]) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_data jsonb[];
begin
  perform app.require_administrator();
  with gone as (
    delete from pgboss.job j using pgboss.queue q
    where q.name = p_queue and j.name = q.dead_letter and j.state < 'active'
      and (p_ids is null or j.id = any (p_ids))
    returning j.data
  )
  select array_agg(g.data) into v_data from gone g;
  if v_data is null then return 0; end if;
  perform intake.enqueue(p_queue, v_data);
  return cardinality(v_data);
end $$;

-- The database itself. What a role may not see of others' transactions is null.
create function app.database_facts()
returns table (version text, size_bytes bigint, connections integer, connections_max integer,
  longest_seconds integer, longest_by text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform app.require_administrator();
  return query
    select current_setting('server_version'), pg_database_size(current_database()),
      (select count(*)::integer from pg_stat_activity a where a.datname = current_database()),
      current_setting('max_connections')::integer, l.seconds, l.name
    from (select 1) as one
    left join lateral (
      select extract(epoch from clock_timestamp() - a.xact_start)::integer as seconds,
        coalesce(nullif(a.application_name, ''), a.usename::text) as name
      from pg_stat_activity a
      where a.datname = current_database() and a.xact_start is not null
        and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
      order by a.xact_start limit 1) as l on true;
end $$;

-- Every event tells which call it came with, when the transaction has said so.
alter table audit.events alter column request_id
  set default nullif(current_setting('huvudbok.request_id', true), '')::uuid;

-- What an event can be found by: the words of its subject and its detail.
create function audit.words_of(p_subject text, p_detail jsonb) returns tsvector
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select to_tsvector('simple', p_subject)
    || jsonb_to_tsvector('simple', p_detail, '["string", "numeric"]')
$$;

create index events_by_actor on audit.events (actor, occurred_at desc, id desc);
create index events_by_request on audit.events (request_id) where request_id is not null;
create index events_by_words on audit.events using gin (audit.words_of(subject, detail));

-- The events that hold every word, or null when they are more than p_most: then they are so common that
-- reading backwards in time finds them at once. Runs as its owner, because a search in words cannot use
-- its index under row level security.
create function app.matching_events(p_words text, p_most integer) returns uuid[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  v_ids uuid[];
begin
  if not app.may('read') then return '{}'; end if;
  select array_agg(found.id) into v_ids from (
    select e.id from audit.events e
    where audit.words_of(e.subject, e.detail) @@ to_tsquery('simple', p_words)
    limit p_most + 1) as found;
  return case when cardinality(v_ids) > p_most then null else coalesce(v_ids, '{}') end;
end $$;
