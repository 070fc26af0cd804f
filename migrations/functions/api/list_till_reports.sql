-- GET /api/v1/dagskassor: what is null is not asked for. Of whom it came, nothing.
--   p_statuses   received | posted | empty | stopped | dismissed
--   p_till_keys  tills as they are known however they are spelt
--   raw          the bytes as they came
--   is_followed  there is more to read after this one
create or replace function api.list_till_reports(
  p_ids uuid[], p_statuses text[], p_till_keys text[], p_z_numbers bigint[], p_from date, p_to date,
  p_updated_since timestamptz, p_after uuid, p_limit integer
) returns table (id uuid, till text, z_number bigint, day date, status text, reason text, raw bytea, voucher_id uuid,
  received_at timestamptz, updated_at timestamptz, is_followed boolean)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    with found as materialized (
      select t.id, octet_length(t.raw) as size from intake.till_reports t
      where (p_ids is null or t.id = any (p_ids))
        and (p_statuses is null or t.status = any (p_statuses))
        and (p_till_keys is null or t.till_key = any (p_till_keys))
        and (p_z_numbers is null or t.z_number = any (p_z_numbers))
        and (p_from is null or t.day >= p_from) and (p_to is null or t.day <= p_to)
        and (p_updated_since is null or t.updated_at >= p_updated_since)
        and (p_after is null or t.id > p_after)
      order by t.id limit p_limit + 1
    ), placed as (
      select f.id, row_number() over (order by f.id) as place, count(*) over () as all_found,
        sum(f.size) over (order by f.id) - f.size as before
      from found f
    )
    select t.id, t.till, t.z_number, t.day, t.status, t.reason, t.raw, t.voucher_id, t.received_at, t.updated_at,
      p.place < p.all_found
    from placed p join intake.till_reports t on t.id = p.id
    where p.place <= p_limit and (p.place = 1 or p.before < 2000000)
    order by t.id;
end $$;
