-- The last backup there is (one from when the clock was ahead is none), and how the last attempt went, without saying where or why.
create or replace function api.last_backup()
returns table (taken_at timestamptz, finished_at timestamptz, size_bytes bigint, verified_at timestamptz,
  problems integer, has_failed boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select b.taken_at, b.finished_at, b.size_bytes, b.verified_at, b.problems,
    coalesce((select last.failure is not null from restricted.backups last
      where last.finished_at < now() + interval '1 hour' order by last.finished_at desc limit 1), false)
  from (select) as one
  left join lateral (select * from restricted.backups b where b.failure is null and b.taken_at < now() + interval '1 hour'
    order by b.taken_at desc limit 1) as b on true
  where b.id is not null or exists (select from restricted.backups)
$$;
