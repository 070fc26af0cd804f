-- The first owner, who has just been made in this transaction by whoever holds the setup token.
create or replace function app.begin_first_session(p_user_id uuid, p_hash bytea, p_address inet, p_agent text)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from restricted.setup_tokens t
      where t.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and t.claimed_by = pg_current_xact_id_if_assigned()) then
    raise exception 'only the first visit begins a session without a password' using errcode = 'HB405';
  end if;
  perform app.add_session(p_user_id, p_hash, true, p_address, p_agent);
end $$;
