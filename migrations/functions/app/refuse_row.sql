-- Raises a refusal by a constraint anew, without the row: PostgreSQL shows all of what its owner may read of it, and so
-- what proves a person's password.
create or replace function app.refuse_row(p_state text, p_message text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception '%', p_message using errcode = p_state;
end $$;
