-- Refuses, where somebody must be there.
create or replace function audit.refuse_nobody() returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'nobody is there to do this' using errcode = 'HB405';
end $$;
