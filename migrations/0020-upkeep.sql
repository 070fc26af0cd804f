-- Upkeep: more to clear away, job tables that are vacuumed in time, and what `/readyz` tells. Replaces one
-- function; storage parameters on the job queue's tables.

drop function restricted.purge_expired();

-- What has served its time: stored answers after 72 h (contract section 8), quota windows that closed a day
-- ago, tokens an hour after they expired (so that a late one still hears why), events after 90 days and
-- finished deliveries after 30. Safe to run at any moment and any number of times.
create function restricted.purge_expired()
returns table (answers bigint, windows bigint, tokens bigint, events bigint, deliveries bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from restricted.idempotency where created_at < now() - interval '72 hours';
  get diagnostics answers = row_count;
  delete from restricted.address_windows where opened_at < now() - interval '1 day';
  get diagnostics windows = row_count;
  delete from restricted.agency_tokens where expires_at < now() - interval '1 hour';
  get diagnostics tokens = row_count;
  delete from events.outbox where occurred_at < now() - interval '90 days';
  get diagnostics events = row_count;
  delete from events.deliveries where finished_at < now() - interval '30 days';
  get diagnostics deliveries = row_count;
  return next;
end $$;

-- A job's row is updated and soon deleted, so a table of jobs is mostly dead rows unless it is vacuumed
-- often. pg-boss leaves that to autovacuum and warns when it falls behind; the usual settings wait for a
-- fifth of the table and then go slowly.
do $$
declare
  v_table regclass;
begin
  for v_table in select inhrelid::regclass from pg_inherits where inhparent = 'pgboss.job'::regclass loop
    execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.01,
      autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
      autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05)', v_table);
  end loop;
end $$;

-- What the last check of all books found, without saying what.
create function api.last_verification() returns table (finished_at timestamptz, problems integer)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select v.finished_at, jsonb_array_length(v.problems) from audit.verifications v
  order by v.finished_at desc limit 1
$$;
