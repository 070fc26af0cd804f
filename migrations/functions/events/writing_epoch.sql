-- The epoch to write in; the first to write in a run begins it, and the others wait for that.
create or replace function events.writing_epoch() returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_epoch integer;
begin
  select e.epoch into v_epoch from events.epochs e where e.run = events.this_run();
  if found then return v_epoch; end if;
  lock table events.epochs in share row exclusive mode;
  select e.epoch into v_epoch from events.epochs e where e.run = events.this_run();
  if found then return v_epoch; end if;
  perform events.keep_last_place();
  insert into events.epochs (epoch, run) select max(e.epoch) + 1, events.this_run()
  from events.epochs e returning epoch into v_epoch;
  return v_epoch;
end $$;
