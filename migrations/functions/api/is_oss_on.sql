-- Whether the company takes orders and refunds in other currencies than kronor: all that the door needs to know of it.
create or replace function api.is_oss_on() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select c.order_oss_is_on from restricted.company c), false)
$$;
