-- What an event can be found by: the words of its subject and its detail.
create or replace function audit.words_of(p_subject text, p_detail jsonb) returns tsvector
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select to_tsvector('simple', p_subject)
    || jsonb_to_tsvector('simple', p_detail, '["string", "numeric"]')
$$;
