-- The epoch of what this run has written, or is about to.
create or replace function events.current_epoch() returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when e.run = events.this_run() then e.epoch else e.epoch + 1 end
  from events.epochs e order by e.epoch desc limit 1
$$;
