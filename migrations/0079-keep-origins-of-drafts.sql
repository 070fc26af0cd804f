-- Where a draft came from is what made it: a person at a page, or the worker of orders. It decides whom the invoice
-- is frozen to. And counts of calls that fail are no longer the database's to keep: whoever ran SQL as hb_api
-- could make them up without end (src/http/failures.ts). Agencies' are, of the routes there are. Functions and
-- a trigger.

create function sales.judge_source() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'this origin is not its to give' using errcode = 'HB405';
end $$;
create trigger drafts_say_where_they_came_from before insert or update of source on sales.invoices
  for each row when (current_user = session_user
    and (session_user = 'hb_app' and new.source <> 'app'
      or session_user = 'hb_worker' and new.source <> 'order'))
  execute function sales.judge_source();

drop function api.count_failures(inet[]);
delete from restricted.address_windows where purpose = 'no_valid_key';

create or replace function agency.count_call(p_address inet, p_route text)
returns table (used bigint, seconds_left integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_route not in ('agency_token', 'agency_aggregate') then
    raise exception 'agencies have no such route' using errcode = '22023';
  end if;
  return query select c.used, c.seconds_left from restricted.count_calls(array[p_address], p_route) c;
end $$;

-- Holds back what keys are posting while one is revoked (src/keys/service.ts). A table's lock needs the right to
-- change all of it, which nobody at a page has of keys.
create function restricted.hold_keys() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('administer') then
    raise exception 'this role may not revoke keys' using errcode = 'HB405';
  end if;
  lock table restricted.api_keys in exclusive mode;
end $$;
