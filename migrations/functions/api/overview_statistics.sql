-- GET /api/stats/overview.
create or replace function api.overview_statistics(p_limit integer, p_today date) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return ledger.overview_figures(p_limit, p_today);
end $$;
