-- GET /api/v1/kundfakturor/{id}/e-faktura: what stands on an invoice, as sales.invoice_document; null when there is none.
create or replace function api.invoice_document(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return sales.invoice_document(p_id);
end $$;
