-- Who lets somebody of that role in anew: owners everybody, administrators those who may less than they, and operators
-- (who are no hb_app) everybody.
create or replace function app.may_let_in(p_role text) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select app.is_operator() or app.may('own')
    or (app.may('administer') and not app.role_may(p_role, 'administer'))
$$;
