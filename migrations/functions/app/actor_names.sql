-- Who an actor is, for everybody who may read the books: a user's name, a key's name. Keys themselves are
-- for administrators only.
create or replace function app.actor_names(p_actors text[]) returns table (actor text, name text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.actor, coalesce(
    (select coalesce(nullif(u.name, ''), u.email) from restricted.users u
      where a.actor = 'user:' || u.id),
    (select k.name from restricted.api_keys k where a.actor = 'key:' || k.id))
  from unnest(p_actors) as a (actor) where app.may('read')
$$;
