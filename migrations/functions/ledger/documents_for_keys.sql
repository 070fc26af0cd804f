-- The documents of vouchers that keys may read: what people have laid on them, and what the vouchers were made of. A content
-- that also documents a voucher that is closed to keys is closed everywhere.
--   kind     attachment | order | refund | e_invoice | invoice_pdf
--   size     bytes
--   sha256   of the bytes
create or replace function ledger.documents_for_keys(p_vouchers uuid[])
returns table (voucher_id uuid, id uuid, kind text, invoice_id uuid, purchase_id uuid, file_name text, media_type text,
  size integer, sha256 bytea, added_at timestamptz)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with open as materialized (
    select v.id from ledger.vouchers v where v.id = any (p_vouchers) and not ledger.is_closed_to_keys(v.id)
  ), laid as (
    -- One that has followed from a purchase to its voucher is told once.
    select distinct on (l.voucher_id, l.sha256) l.*
    from (
      select a.voucher_id, a.id, i.purchase_id, a.sha256, a.file_name, a.media_type, a.created_at as added_at, 1 as place
      from ledger.attachments a
      left join lateral (
        select i.id as purchase_id from purchases.invoices i
        join purchases.attachments p on p.invoice_id = i.id and p.sha256 = a.sha256
        where i.voucher_id = a.voucher_id) as i on true
      where a.voucher_id in (select o.id from open o)
      union all
      select i.voucher_id, p.id, i.id, p.sha256, p.file_name, p.media_type, i.decided_at, 2
      from purchases.invoices i join purchases.attachments p on p.invoice_id = i.id
      where i.voucher_id in (select o.id from open o)
    ) as l
    order by l.voucher_id, l.sha256, l.place, l.id
  ), printed as (
    -- As it was sent to the customer; sent again, it is the same.
    select distinct on (i.id, r.sha256) i.voucher_id, m.id, i.id as invoice_id, r.sha256, m.file_name, m.sent_at
    from sales.invoices i
    join sales.mails m on m.invoice_id = i.id and m.kind = 'invoice' and m.state = 'sent'
    join archive.renderings r on r.page_sha256 = m.page_sha256
    where i.voucher_id in (select o.id from open o)
    order by i.id, r.sha256, m.sent_at, m.id
  )
  select l.voucher_id, l.id, 'attachment', null::uuid, l.purchase_id, l.file_name, l.media_type, octet_length(c.bytes),
    l.sha256, l.added_at
  from laid l join archive.contents c on c.sha256 = l.sha256
  where not exists (select from ledger.attachments a where a.sha256 = l.sha256 and ledger.is_closed_to_keys(a.voucher_id))
    and not exists (select from purchases.attachments a join purchases.invoices i on i.id = a.invoice_id
      where a.sha256 = l.sha256 and i.voucher_id is not null and ledger.is_closed_to_keys(i.voucher_id))
  union all
  select p.voucher_id, p.id, 'invoice_pdf', p.invoice_id, null, p.file_name, 'application/pdf', octet_length(c.bytes),
    p.sha256, p.sent_at
  from printed p join archive.contents c on c.sha256 = p.sha256
  union all
  select i.voucher_id, a.id, o.kind, i.id, null, o.kind || '.json', 'application/json', octet_length(a.raw), a.sha256,
    a.received_at
  from sales.invoices i
  join intake.orders o on o.invoice_id = i.id
  join intake.order_attempts a on a.order_id = o.id and a.status = 'draft'
  where i.voucher_id in (select p.id from open p)
  union all
  select i.voucher_id, e.id, 'e_invoice', null, i.id, 'e-invoice.xml', 'application/xml', octet_length(e.raw), sha256(e.raw),
    e.received_at
  from purchases.invoices i join intake.e_invoices e on e.id = i.document_id
  where i.voucher_id in (select p.id from open p) and e.raw is not null
$$;
