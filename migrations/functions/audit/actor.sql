-- The actor behind the transaction. `p_said` is what the caller says: the owner's word is taken; a worker
-- may say which queue it works for, but never that it is a person or a key, for all workers share a login.
create or replace function audit.actor(p_said text) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  case session_user
    when 'hb_app' then
      -- Whoever holds the first visit's token is nobody yet.
      return coalesce('user:' || app.complete_user_id(),
        case when app.current_role_name() is not null then 'setup' end,
        audit.refuse_nobody());
    when 'hb_worker' then
      if p_said = 'job:webhooks'
        or p_said like 'job:%' and exists (select from pgboss.queue q where q.name = substr(p_said, 5)) then
        return p_said;
      end if;
      return audit.refuse_nobody();
    when 'hb_api', 'hb_agency' then
      -- Keys act through api.*, which names them.
      return audit.refuse_nobody();
    else
      return p_said;
  end case;
end $$;
