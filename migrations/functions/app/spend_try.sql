-- Uses up an answered try: whose password it was, null when it was wrong or belongs to another session.
create or replace function app.spend_try(p_try uuid, p_session bytea) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_try restricted.password_tries;
begin
  delete from restricted.password_tries t
  where t.id = p_try and t.answered_in is not null and t.session is not distinct from p_session
    and t.made_at > now() - interval '15 minutes'
  returning * into v_try;
  if v_try.answered_in = pg_current_xact_id() then
    raise exception 'a try is told of only once it has been committed' using errcode = 'HB405';
  end if;
  return case when v_try.is_right then v_try.user_id end;
end $$;
