-- GET /api/v1/kunder: what is null is not asked for.
create or replace function api.list_customers(
  p_ids uuid[], p_updated_since timestamptz, p_is_active boolean, p_after uuid, p_limit integer,
  p_external_ids text[] default null
) returns table (id uuid, name text, email text, organization_number text, vat_number text, address text,
  postal_code text, city text, country_code text, phone text, payment_terms_days integer, is_active boolean,
  created_at timestamptz, updated_at timestamptz, external_id text)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    select r.id, r.name, r.email, r.organization_number, r.vat_number, r.address, r.postal_code, r.city, r.country_code,
      r.phone, r.payment_terms_days, r.is_active, r.created_at, r.updated_at, r.external_id
    from sales.customers r
    where (p_ids is null or r.id = any (p_ids))
      and (p_external_ids is null or r.external_id = any (p_external_ids))
      and (p_updated_since is null or r.updated_at >= p_updated_since)
      and (p_is_active is null or r.is_active = p_is_active)
      and (p_after is null or r.id > p_after)
    order by r.id limit p_limit;
end $$;
