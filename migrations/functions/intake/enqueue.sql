-- Jobs that people may ask for, and those who may.
create or replace function intake.enqueue(p_queue text, p_data jsonb[]) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not (case
      -- Printed by whoever has the page (archive.request_rendering), or a kept picture; they may see either.
      when p_queue in ('rendering', 'preview') then app.may('read')
      when p_queue in ('order-intake', 'till-report-intake', 'e-invoice-intake', 'invoice-booking', 'supplier-invoice-booking', 'mail',
          'bank-import', 'recurring-invoices')
        then app.may('keep_books')
      else app.may('administer') end) then
    raise exception 'this role may not ask for that' using errcode = 'HB405';
  end if;
  insert into pgboss.job (id, name, data, priority, start_after, created_on, expire_seconds,
    deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy,
    dead_letter, heartbeat_seconds, blocked, blocking, pending_dependencies)
  select gen_random_uuid(), q.name, d.data, 0, pgboss.job_now(), pgboss.job_now(), q.expire_seconds,
    q.deletion_seconds, pgboss.job_now() + q.retention_seconds * interval '1 second', q.retry_limit,
    q.retry_delay, coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter,
    q.heartbeat_seconds, false, false, 0
  from unnest(p_data) as d (data) join pgboss.queue q on q.name = p_queue;
  if not found then
    raise exception 'queue % does not exist', p_queue;
  end if;
  perform pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), p_queue);
end $$;
