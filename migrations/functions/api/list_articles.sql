-- GET /api/v1/artiklar: what is null is not asked for.
create or replace function api.list_articles(
  p_numbers text[], p_updated_since timestamptz, p_is_active boolean, p_after text, p_limit integer,
  p_external_ids text[] default null
) returns table (number text, description text, supply text, account integer, unit_price_e4 bigint,
  unit text, is_active boolean, updated_at timestamptz, external_id text)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    select r.number, r.description, r.supply, r.account, r.unit_price_e4, r.unit, r.is_active, r.updated_at, r.external_id
    from sales.articles r
    where (p_numbers is null or r.number = any (p_numbers))
      and (p_external_ids is null or r.external_id = any (p_external_ids))
      and (p_updated_since is null or r.updated_at >= p_updated_since)
      and (p_is_active is null or r.is_active = p_is_active)
      and (p_after is null or r.number > p_after)
    order by r.number limit p_limit;
end $$;
