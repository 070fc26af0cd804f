-- At the commit: people who have changed this row have said so of it in the audit log, in this very
-- transaction: what was done, and of what (audit.entries_due). The triggers' argument says no more.
create or replace function audit.require_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user <> 'hb_app' then return null; end if;
  if exists (select from audit.entries_due(tg_table_name, to_jsonb(old), to_jsonb(new)) due
      where not exists (select from audit.events e
        where e.occurred_at >= now() and e.xmin = pg_current_xact_id()::xid
          and e.action = due.action and lower(e.subject) = due.subject)) then
    raise exception '%.% is not changed without an entry in the audit log', tg_table_schema, tg_table_name
      using errcode = 'HB002', constraint = 'changes_are_written_down';
  end if;
  return null;
end $$;
