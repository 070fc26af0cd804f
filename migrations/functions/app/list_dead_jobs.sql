-- The latest of them: what the job was to do, and what it said when it failed.
create or replace function app.list_dead_jobs(p_limit integer)
returns table (queue text, id uuid, payload jsonb, failed_at timestamptz, attempts integer, failure text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform app.require_administrator();
  return query
    select q.name, j.id, j.data, j.created_on, j.source_retry_count + 1,
      left(coalesce(j.source_output ->> 'message', j.source_output #>> '{value,message}',
        j.source_output::text, j.output ->> 'message'), 2000)
    from pgboss.queue q
    cross join lateral (select * from pgboss.job j
      where j.name = q.dead_letter and j.state < 'active' and not j.blocked
      order by j.created_on desc, j.id limit p_limit) as j
    order by j.created_on desc, j.id limit p_limit;
end $$;
