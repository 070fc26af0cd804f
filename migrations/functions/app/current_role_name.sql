-- The role of whoever the connection speaks for (`huvudbok.session`, the hash of a secret only they hold);
-- null when nobody, and in a transaction that does not see what is true now. The first visit's token counts
-- as an owner until there is a user; it opens an installation for a day.
create or replace function app.current_role_name() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select u.role from restricted.sessions s join restricted.users u on u.id = s.user_id
      where s.hash = app.presented_session()
        and s.is_complete and restricted.is_up_to_date() and app.is_alive(s)
    and u.deactivated_at is null),
    (select 'agare' from restricted.setup_tokens t
      where t.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and t.created_at > now() - interval '24 hours'
        and (t.claimed_by = pg_current_xact_id_if_assigned()
          or not exists (select from restricted.users))))
$$;
