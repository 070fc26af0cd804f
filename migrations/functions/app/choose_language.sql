-- A person chooses the language of the pages that there are in several, for themselves.
create or replace function app.choose_language(p_language text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update restricted.users set language = p_language where id = app.complete_user_id();
exception when integrity_constraint_violation then
  perform app.refuse_row(sqlstate, sqlerrm);
end $$;
