-- GET /api/v1/dimensioner: what is null is not asked for.
create or replace function api.list_dimensions(
  p_ids uuid[], p_updated_since timestamptz, p_is_active boolean, p_after uuid, p_limit integer,
  p_external_ids text[] default null
) returns table (id uuid, kind text, code text, name text, is_active boolean, updated_at timestamptz, external_id text)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    select r.id, r.kind, r.code, r.name, r.is_active, r.updated_at, r.external_id
    from ledger.dimensions r
    where (p_ids is null or r.id = any (p_ids))
      and (p_external_ids is null or r.external_id = any (p_external_ids))
      and (p_updated_since is null or r.updated_at >= p_updated_since)
      and (p_is_active is null or r.is_active = p_is_active)
      and (p_after is null or r.id > p_after)
    order by r.id limit p_limit;
end $$;
