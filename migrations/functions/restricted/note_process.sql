-- A process says that it lives. Nobody waits for the disk for this; those that died without a word are
-- forgotten after a day.
create or replace function restricted.note_process(p_id uuid, p_host text, p_pid integer, p_parts text[],
  p_version text, p_started_at timestamptz, p_handled jsonb, p_work jsonb default '{}') returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into restricted.processes as p (id, host, pid, parts, version, started_at, handled, work)
  values (p_id, left(p_host, 300), p_pid, p_parts, p_version, p_started_at, p_handled, p_work)
  on conflict (id) do update
    set seen_at = now(), handled = excluded.handled, work = excluded.work;
  delete from restricted.processes where seen_at < now() - interval '1 day';
end $$;
