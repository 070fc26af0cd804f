-- The one way to write down what was done: by people what their role may do, and by all no more than a page shows.
create or replace function audit.record(p_actor text, p_action text, p_subject text, p_detail jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_actor text := audit.actor(p_actor);
begin
  if session_user = 'hb_app' and not app.may(audit.needed_right(p_action, p_subject)) then
    raise exception 'this role does not do %', left(p_action, 100) using errcode = 'HB405';
  end if;
  if p_action !~ '^[a-z_]{1,40}[.][a-z_]{1,40}$' or length(p_subject) > 500 or length(p_detail::text) > 100000 then
    raise exception 'no entry of the audit log looks like this' using errcode = 'HB002',
      constraint = 'entries_are_bounded';
  end if;
  insert into audit.events (id, occurred_at, actor, action, subject, detail)
  values (gen_random_uuid(), clock_timestamp(), v_actor, p_action, p_subject, p_detail);
end $$;
