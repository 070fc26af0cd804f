-- GET /api/stats/monthly. All amounts of these answers are öre; rounding is the caller's.
create or replace function api.monthly_statistics() returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return jsonb_build_object(
    'first_day', (select min(v.verification_date) from ledger.vouchers v),
    'months', (select coalesce(jsonb_agg(m order by m.month), '[]') from ledger.month_results() m));
end $$;
