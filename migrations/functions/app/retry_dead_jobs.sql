-- Puts dead letters back on their queue, all of them or those named, and says how many. Asked for twice,
-- the second finds nothing.
create or replace function app.retry_dead_jobs(p_queue text, p_ids uuid[]) returns integer
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
