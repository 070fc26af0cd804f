-- Each of the keys once, with the first of those that were rotated into it.
create or replace function restricted.first_keys(p_ids uuid[]) returns table (key_id uuid, first_id uuid)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select k.id, restricted.first_key(k.id) from (select distinct unnest(p_ids) as id) k where k.id is not null
$$;
