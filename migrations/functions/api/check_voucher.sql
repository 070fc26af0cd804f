-- What would stop a voucher today, as ledger.post_vouchers says it ({error, detail}), null when nothing does: for keys that read
-- vouchers. Nothing is written. p_payload as POST /api/v1/verifikat takes it.
create or replace function api.check_voucher(p_payload jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return proposals.problems_of('voucher', p_payload, '{}');
end $$;
