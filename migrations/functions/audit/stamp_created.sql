-- Who and when of rows that people and workers write themselves, whatever the statement says of it.
create or replace function audit.stamp_created() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.created_by := audit.actor(new.created_by);
    new.created_at := clock_timestamp();
  else
    new.created_by := old.created_by;
    new.created_at := old.created_at;
  end if;
  return new;
end $$;
