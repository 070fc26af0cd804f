-- The events that hold every word, or null when they are more than p_most: then they are so common that
-- reading backwards in time finds them at once. Runs as its owner, because a search in words cannot use
-- its index under row level security.
create or replace function app.matching_events(p_words text, p_most integer) returns uuid[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
declare
  v_ids uuid[];
begin
  if not app.may('read') then return '{}'; end if;
  select array_agg(found.id) into v_ids from (
    select e.id from audit.events e
    where audit.words_of(e.subject, e.detail) @@ to_tsquery('simple', p_words)
    limit p_most + 1) as found;
  return case when cardinality(v_ids) > p_most then null else coalesce(v_ids, '{}') end;
end $$;
