-- What has served its time: stored answers after 72 h (contract section 8), quota windows that closed a day
-- ago, tries of passwords after a quarter of an hour, tokens an hour after they expired (so that a late one still hears why), events after 90 days and
-- finished deliveries after 30. Safe to run at any moment and any number of times.
create or replace function restricted.purge_expired()
returns table (answers bigint, windows bigint, tokens bigint, events bigint, deliveries bigint,
  sessions bigint, forms bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from restricted.idempotency where created_at < now() - interval '72 hours';
  get diagnostics answers = row_count;
  delete from restricted.address_windows where opened_at < now() - interval '1 day';
  get diagnostics windows = row_count;
  delete from restricted.login_windows where opened_at < now() - interval '1 day';
  -- Nobody waits for them any more.
  delete from intake.trials where created_at < now() - interval '1 hour';
  delete from restricted.password_tries where made_at < now() - interval '15 minutes';
  delete from restricted.agency_tokens where expires_at < now() - interval '1 hour';
  get diagnostics tokens = row_count;
  delete from events.outbox where occurred_at < now() - interval '90 days';
  get diagnostics events = row_count;
  -- As long as anybody may be told of them.
  delete from events.removals r where r.removed_at < now() - interval '90 days'
    and not exists (select from events.deliveries d where d.type = 'record.removed' and d.subject = r.id);
  delete from events.deliveries where finished_at < now() - interval '30 days';
  get diagnostics deliveries = row_count;
  delete from restricted.sessions s where not app.is_alive(s);
  get diagnostics sessions = row_count;
  delete from restricted.form_posts where created_at < now() - interval '72 hours';
  get diagnostics forms = row_count;
  return next;
end $$;
