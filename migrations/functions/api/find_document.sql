-- GET /api/v1/underlag/{id}: what a document is, asked for before any of it is read. None of one that is not there, or that
-- keys may not read.
create or replace function api.find_document(p_id uuid)
returns table (kind text, file_name text, media_type text, size integer, sha256 bytea)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('documents:read');
  return query
    select d.kind, d.file_name, d.media_type, d.size, d.sha256
    from ledger.documents_for_keys(array(
      select a.voucher_id from ledger.attachments a where a.id = p_id
      union
      select i.voucher_id from purchases.attachments a join purchases.invoices i on i.id = a.invoice_id where a.id = p_id
      union
      select i.voucher_id from purchases.invoices i where i.document_id = p_id
      union
      select i.voucher_id from intake.order_attempts a join intake.orders o on o.id = a.order_id
        join sales.invoices i on i.id = o.invoice_id where a.id = p_id
      union
      select i.voucher_id from sales.mails m join sales.invoices i on i.id = m.invoice_id where m.id = p_id)) d
    where d.id = p_id;
end $$;
