-- Previews a week after they were asked for, also of what could not be shown. Looked at again, they are made again.
-- Safe to run at any moment and any number of times.
create or replace function archive.purge_previews() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_at_once constant integer := 10000;
  v_sources bytea[];
  v_contents bytea[];
begin
  select array_agg(p.source_sha256), array_agg(p.sha256) filter (where p.sha256 is not null)
  into v_sources, v_contents from (
    select p.source_sha256, p.sha256 from archive.previews p
    where p.created_at < now() - interval '7 days'
    order by p.created_at limit c_at_once
    for update skip locked) as p;
  delete from archive.previews p where p.source_sha256 = any (v_sources);
  perform archive.forget_contents(v_contents);
  return coalesce(cardinality(v_sources), 0);
end $$;
