-- Backups as the installation knows them: those it takes itself, and those that a script says it has taken.
-- Small table; the function looks at the catalogue alone.

create table restricted.backups (
  id uuid not null,
  -- The moment that the backup shows the books at.
  taken_at timestamptz not null,
  finished_at timestamptz not null default now(),
  is_own boolean not null,
  -- Of our own: where it is, how large, and how much is in it.
  file text,
  size_bytes bigint,
  vouchers bigint,
  -- When it was restored into a server made for that, and how many problems the check of those books found.
  verified_at timestamptz,
  problems integer,
  -- Why it was not taken, or could not be proved.
  failure text,
  constraint backups_pkey primary key (id),
  constraint backups_size_not_negative check (size_bytes >= 0),
  constraint backups_verified_has_problems check ((verified_at is null) = (problems is null)),
  constraint backups_own_is_whole
    check ((file is null) = (size_bytes is null) and (is_own or (file is null and failure is null)))
);
create index backups_finished_at on restricted.backups (finished_at desc);
alter table restricted.backups enable row level security;
create policy people_administer on restricted.backups for select to hb_app
  using ((select app.may('administer')));
create policy workers_look on restricted.backups for select to hb_worker using (true);

insert into restricted.backups (id, taken_at, finished_at, is_own)
select e.id, e.subject::timestamptz, e.occurred_at, false from audit.events e where e.action = 'backup.done';

-- The last backup there is, and how the last attempt went, without saying where or why.
create function api.last_backup()
returns table (taken_at timestamptz, finished_at timestamptz, size_bytes bigint, verified_at timestamptz,
  problems integer, has_failed boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select b.taken_at, b.finished_at, b.size_bytes, b.verified_at, b.problems,
    coalesce((select last.failure is not null from restricted.backups last
      order by last.finished_at desc limit 1), false)
  from (select) as one
  left join lateral (select * from restricted.backups b where not b.is_own or b.file is not null
    order by b.taken_at desc limit 1) as b on true
  where b.id is not null or exists (select from restricted.backups)
$$;

-- Tables that let nobody see a row: row level security is on, and no policy lets anything through. So it is
-- after a dump was restored where its roles were missing, and everything then reads as empty.
create function api.unreadable_tables() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::integer from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('ledger', 'sales', 'purchases', 'bank', 'audit', 'archive', 'intake', 'restricted')
    and c.relkind = 'r' and c.relrowsecurity
    and not exists (select from pg_policy p where p.polrelid = c.oid)
$$;
