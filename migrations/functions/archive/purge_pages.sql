-- Pages that no mail was sent with, a week after they were asked for, and what was printed of them. Asked for again,
-- they are printed again. Safe to run at any moment and any number of times.
create or replace function archive.purge_pages() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_at_once constant integer := 10000;
  v_pages bytea[];
  v_contents bytea[];
begin
  select array_agg(p.sha256) into v_pages from (
    select p.sha256 from archive.pages p
    where p.created_at < now() - interval '7 days'
      and not exists (select from sales.mails m where m.page_sha256 = p.sha256)
    order by p.created_at limit c_at_once
    for update skip locked) as p;
  with gone as (
    delete from archive.renderings r where r.page_sha256 = any (v_pages) returning r.sha256)
  select array_agg(sha256) into v_contents from gone;
  delete from archive.pages p where p.sha256 = any (v_pages);
  perform archive.forget_contents(v_contents);
  return coalesce(cardinality(v_pages), 0);
end $$;
