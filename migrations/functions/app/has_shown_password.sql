-- Whether the person at the browser has just shown their password in this session; spends nothing.
create or replace function app.has_shown_password(p_try uuid) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from restricted.password_tries t
    where t.id = p_try and t.is_right and t.answered_in <> pg_current_xact_id()
      and t.made_at > now() - interval '15 minutes'
      and t.session = app.presented_session() and t.user_id = app.complete_user_id())
$$;
