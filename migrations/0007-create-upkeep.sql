-- What has served its time: stored answers after 72 h (contract section 8) and quota windows that
-- closed a day ago. Safe to run at any moment and any number of times.
create function restricted.purge_expired() returns table (answers bigint, windows bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_answers bigint;
  v_windows bigint;
begin
  delete from restricted.idempotency where created_at < now() - interval '72 hours';
  get diagnostics v_answers = row_count;
  delete from restricted.address_windows where opened_at < now() - interval '1 day';
  get diagnostics v_windows = row_count;
  return query select v_answers, v_windows;
end $$;
