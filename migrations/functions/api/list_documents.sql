-- GET /api/v1/underlag: the documents of vouchers, by voucher and id; those that keys may not read are not there.
create or replace function api.list_documents(p_vouchers uuid[], p_after_voucher uuid, p_after_id uuid, p_limit integer)
returns table (voucher_id uuid, id uuid, kind text, invoice_id uuid, purchase_id uuid, file_name text, media_type text,
  size integer, sha256 bytea, added_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('documents:read');
  return query
    select d.* from ledger.documents_for_keys(p_vouchers) d
    where p_after_voucher is null or (d.voucher_id, d.id) > (p_after_voucher, p_after_id)
    order by d.voucher_id, d.id limit p_limit;
end $$;
