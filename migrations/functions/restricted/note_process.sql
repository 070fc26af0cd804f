-- A process says that it lives. Nobody waits for the disk for this; those that died without a word are
-- forgotten after a day, and of more than a thousand those that have been silent for longest. What holds up the others
-- is ended meanwhile.
create or replace function restricted.note_process(p_id uuid, p_host text, p_pid integer, p_parts text[],
  p_version text, p_started_at timestamptz, p_handled jsonb, p_work jsonb default '{}') returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Pages and figures read it as src/installation/processes/store.ts has it.
  if octet_length(concat(p_version, p_parts, p_handled, p_work)) > 20000
    or array_ndims(p_parts) > 1 or array_position(p_parts, null) is not null
    or jsonb_typeof(p_handled) <> 'object' or jsonb_typeof(p_work) <> 'object'
    or exists (select from jsonb_each(p_handled) as h
      where not restricted.is_figure(h.value))
    or exists (select from jsonb_each(p_work) as w where jsonb_typeof(w.value) <> 'object'
      or not restricted.is_figure(w.value -> 'busy_ms') or not restricted.is_figure(w.value -> 'slots')) then
    raise exception 'a process says more than a process does' using errcode = 'HB405';
  end if;
  perform restricted.end_overdue(clock_timestamp());
  perform set_config('synchronous_commit', 'off', true);
  insert into restricted.processes as p (id, host, pid, parts, version, started_at, handled, work)
  values (p_id, left(p_host, 300), p_pid, p_parts, p_version,
    least(greatest(p_started_at, '2000-01-01'), now()), p_handled, p_work)
  on conflict (id) do update
    set seen_at = now(), handled = excluded.handled, work = excluded.work;
  delete from restricted.processes where seen_at < now() - interval '1 day';
  delete from restricted.processes p where p.id in (
    select silent.id from restricted.processes silent order by silent.seen_at desc offset 1000);
end $$;
