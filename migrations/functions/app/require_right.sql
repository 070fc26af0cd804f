-- For tables that are written by functions running as their owner: hb_app gets through only for a
-- person with the right, whatever the program forgot to ask.
create or replace function app.require_right() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not app.may(tg_argv[0]) then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  return null;
end $$;
