-- For whoever has lost both telephone and codes: an owner turns the second factor off, or an operator.
-- False when there is no such user, or nothing was on.
create or replace function app.remove_second_factor(p_user_id uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.is_operator() and not app.may('own') then
    raise exception 'only owners turn off the second factor of others' using errcode = 'HB405';
  end if;
  return app.clear_second_factor(p_user_id);
end $$;
