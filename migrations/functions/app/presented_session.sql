-- What the transaction presents, as the database knows it; null when nothing.
create or replace function app.presented_session() returns bytea
language sql stable set search_path = pg_catalog, pg_temp as $$
  select sha256(decode(nullif(current_setting('huvudbok.session', true), ''), 'hex'))
$$;
