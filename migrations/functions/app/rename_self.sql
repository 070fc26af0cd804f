-- A person changes their own name and password, and nothing else of themselves.
create or replace function app.rename_self(p_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update restricted.users set name = p_name where id = app.complete_user_id();
exception when integrity_constraint_violation then
  perform app.refuse_row(sqlstate, sqlerrm);
end $$;
