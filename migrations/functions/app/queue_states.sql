-- Each queue: how many wait (counted to ten thousand) and since when, how many are at work, and how many
-- lie in its dead letters.
create or replace function app.queue_states()
returns table (queue text, waiting integer, oldest timestamptz, active integer, dead integer)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform app.require_administrator();
  return query
    select q.name,
      (select count(*)::integer from (select from pgboss.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
        limit 10000) as ready),
      (select j.created_on from pgboss.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
        order by j.priority desc, j.created_on limit 1),
      (select count(*)::integer from pgboss.job j where j.name = q.name and j.state = 'active'),
      (select count(*)::integer from (select from pgboss.job j
        where j.name = q.dead_letter and j.state < 'active' and not j.blocked limit 10000) as failed)
    from pgboss.queue q where q.dead_letter is not null order by q.name;
end $$;
