-- Whether whoever gave somebody of that role a link or a password may still let them in: operators (null) and owners
-- everybody, administrators those who may less than they, and nobody who is shut out.
create or replace function app.still_lets_in(p_giver uuid, p_role text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p_giver is null or exists (
    select from restricted.users g where g.id = p_giver and g.deactivated_at is null
      and (app.role_may(g.role, 'own')
        or (app.role_may(g.role, 'administer') and not app.role_may(p_role, 'administer'))))
$$;
