-- How many people may pay: those who may keep the books and have not been shut out.
create or replace function purchases.people_who_pay() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*) from restricted.users u
  where u.deactivated_at is null and app.role_may(u.role, 'keep_books')
$$;
