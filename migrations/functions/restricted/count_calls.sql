-- Counts calls by their sender and says how many they have made this hour, and when the hour is over. An
-- IPv6 sender has a whole /64 to itself, so that is what is counted. Losing the last moments of counting
-- in a power cut is fine, so nobody waits for the disk.
create or replace function restricted.count_calls(p_address inet[], p_purpose text)
returns table (item integer, used bigint, seconds_left integer)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform set_config('synchronous_commit', 'off', true);
  return query
    with call as materialized (
      select i.item::integer as item, case family(i.address)
        when 6 then network(set_masklen(i.address, 64))::inet else host(i.address)::inet end as sender
      from unnest(p_address) with ordinality as i (address, item)
    ), counted as (
      insert into restricted.address_windows as w (address, purpose, opened_at, used)
      select c.sender, p_purpose, now(), count(*) from call c group by 1 order by 1
      on conflict (address, purpose) do update set
        used = excluded.used + case when restricted.is_open(w.opened_at, interval '1 hour') then w.used else 0 end,
        opened_at = case when restricted.is_open(w.opened_at, interval '1 hour') then w.opened_at else now() end
      returning w.address, w.used, w.opened_at
    )
    select c.item, w.used,
      greatest(1, ceil(extract(epoch from w.opened_at + interval '1 hour' - now())))::integer
    from call c join counted w on w.address = c.sender;
end $$;
