-- Whether whoever the connection speaks for has that right when they are done: they have it, or gave it up
-- themselves in this very transaction (a role of their own, their own session), which is written down of them.
create or replace function app.may_still(p_right text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app.may(p_right) or exists (select from audit.events e
    where e.occurred_at >= now() and e.xmin = pg_current_xact_id()::xid
      and e.actor = 'user:' || e.subject)
$$;
