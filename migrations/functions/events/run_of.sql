-- An epoch's run as readers carry it, in microseconds; two histories may have an epoch of the same number.
create or replace function events.run_of(p_epoch integer) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select (extract(epoch from e.run) * 1000000)::bigint
    from events.epochs e where e.epoch = p_epoch), 0)
$$;
