-- Whether the secret opens the first visit still.
create or replace function app.is_setup_token(p_hash bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from restricted.setup_tokens t
      where t.hash = p_hash and t.created_at > now() - interval '24 hours')
    and not exists (select from restricted.users)
$$;
