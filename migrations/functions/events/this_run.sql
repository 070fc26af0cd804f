-- Which run of the server writes here: when it began, and in which database, for a copy beside its original on the same server
-- has a history of its own from when it was made.
create or replace function events.this_run() returns timestamptz language sql stable as $$
  select pg_postmaster_start_time() + (select oid::bigint from pg_database where datname = current_database()) * interval '1 microsecond'
$$;
