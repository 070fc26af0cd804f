-- How many jobs have failed for good and wait for somebody.
create or replace function app.count_dead_jobs() returns bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.require_administrator();
  return (select count(*) from pgboss.queue q join pgboss.job j on j.name = q.dead_letter
    where j.state < 'active' and not j.blocked);
end $$;
