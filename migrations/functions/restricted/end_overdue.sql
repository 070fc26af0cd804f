-- Ends the connections of our logins whose transaction is older than any of ours is: what one holds, others wait for,
-- and nothing that happened since is told (events.list_after), while its login may choose its own time limits. The
-- owner has been granted the logins (src/db/own-roles.ts); until migrate has run, of whom it has not it sees nothing.
create or replace function restricted.end_overdue(p_now timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_ended integer;
begin
  select count(*) into v_ended
  from (select a.pid from pg_stat_activity a
    where a.datname = current_database() and a.usename in ('hb_api', 'hb_app', 'hb_agency', 'hb_worker')
      and pg_has_role(a.usesysid, 'usage')
      and a.xact_start < p_now - case a.usename
        when 'hb_worker' then interval '3 hours' when 'hb_app' then interval '15 minutes' else interval '5 minutes' end
    offset 0) as overdue
  where pg_terminate_backend(overdue.pid);
  return v_ended;
end $$;
