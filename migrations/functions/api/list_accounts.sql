-- GET /api/v1/konton: what is null is not asked for.
create or replace function api.list_accounts(
  p_numbers integer[], p_updated_since timestamptz, p_is_active boolean, p_after integer, p_limit integer
) returns table (number integer, name text, type text, vat_code text, vat_rate integer, sru text,
  is_active boolean, updated_at timestamptz)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    select r.number, r.name, r.type, r.vat_code, r.vat_rate, r.sru, r.is_active, r.updated_at
    from ledger.accounts r
    where (p_numbers is null or r.number = any (p_numbers))
      and (p_updated_since is null or r.updated_at >= p_updated_since)
      and (p_is_active is null or r.is_active = p_is_active)
      and (p_after is null or r.number > p_after)
    order by r.number limit p_limit;
end $$;
