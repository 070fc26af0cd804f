-- Whoever presents it is logged out.
create or replace function app.end_session(p_hash bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.sessions where hash = sha256(p_hash)
$$;
