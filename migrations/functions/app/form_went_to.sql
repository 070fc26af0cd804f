-- Notes where the person who sent the form is taken.
create or replace function app.form_went_to(p_id uuid, p_location text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update restricted.form_posts set location = p_location
  where id = p_id and user_id is not distinct from app.current_user_id()
$$;
