-- Refuses whoever is less than an administrator.
create or replace function app.require_administrator() returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if not app.may('administer') then
    raise exception 'this role may not see to operations' using errcode = 'HB405';
  end if;
end $$;
