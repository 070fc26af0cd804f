-- Holds back what keys are posting while one is revoked (src/keys/service.ts). A table's lock needs the right to
-- change all of it, which nobody at a page has of keys.
create or replace function restricted.hold_keys() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('administer') then
    raise exception 'this role may not revoke keys' using errcode = 'HB405';
  end if;
  lock table restricted.api_keys in exclusive mode;
end $$;
