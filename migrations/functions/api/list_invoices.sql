-- GET /api/v1/kundfakturor: what is null is not asked for. A page ends early when its invoices have thousands of rows.
--   rows        [{row_no, article_number, description, quantity_e4, unit, unit_price_e4, discount_e2, vat_rate, oss_country, oss_rate_e2,
--                 account, net_ore, vat_ore, currency_net, currency_vat}]
--   payments    [{id, date, amount_ore, kind, account, reference, voucher_id}]
--   credit_notes  [{id, number, date, total_ore, refund_id}], those that are booked
--   refund_id   of a credit note, the shop's number of the refund that it was made of
--   is_followed  there is more to read after this one
create or replace function api.list_invoices(
  p_ids uuid[], p_statuses text[], p_customers uuid[], p_identities text[], p_updated_since timestamptz, p_after uuid,
  p_limit integer, p_refund_keys text[] default null
) returns table (id uuid, kind text, status text, source text, number integer, ocr text, customer_id uuid, debtor jsonb,
  external_id text, refund_id text, credited_invoice_id uuid, invoice_date date, delivery_date date, due_date date,
  payment_terms_days integer, your_reference text, notes text, net_ore bigint, vat_ore bigint, rounding_ore bigint,
  total_ore bigint, fees_ore bigint, paid_ore bigint, credited_ore bigint, open_ore bigint, voucher_id uuid,
  currency text, exchange_rate_e6 bigint, currency_rounding bigint,
  created_at timestamptz, updated_at timestamptz, rows jsonb, payments jsonb, credit_notes jsonb,
  is_followed boolean)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    with found as materialized (
      select i.* from sales.invoices i
      where (p_ids is null or i.id = any (p_ids))
        and (p_statuses is null or i.status = any (p_statuses))
        and (p_customers is null or i.customer_id = any (p_customers))
        and (p_identities is null or i.id = any (array(
          select o.invoice_id from intake.orders o where o.identity = any (p_identities))))
        and (p_refund_keys is null or i.id = any (array(
          select o.invoice_id from intake.orders o where o.refund_key = any (p_refund_keys) and o.invoice_id is not null)))
        and (p_updated_since is null or i.updated_at >= p_updated_since)
        and (p_after is null or i.id > p_after)
      order by i.id limit p_limit + 1
    ), sized as (
      select f.id, row_number() over (order by f.id) as place, count(*) over () as all_found,
        sum(s.size) over (order by f.id) - s.size as before
      from found f cross join lateral (select
          (select count(*) from sales.invoice_rows r where r.invoice_id = f.id)
          + (select count(*) from sales.payments p where p.invoice_id = f.id)
          + (select count(*) from sales.invoices c where c.credited_invoice_id = f.id) as size) as s
    )
    select f.id, f.kind, f.status, f.source, f.number, f.ocr, f.customer_id, f.debtor,
      case o.kind when 'order' then o.external_id end, case o.kind when 'refund' then o.external_id end,
      f.credited_invoice_id, f.invoice_date, f.delivery_date, f.due_date, f.payment_terms_days, f.your_reference,
      f.notes, f.net_ore, f.vat_ore, f.rounding_ore, f.total_ore,
      (select coalesce(sum(m.fee_ore), 0)::bigint from sales.reminders m where m.invoice_id = f.id and not exists (
        select from sales.withdrawn_fees w where w.invoice_id = m.invoice_id and w.reminder_no = m.reminder_no)),
      (select coalesce(sum(p.amount_ore), 0)::bigint from sales.payments p where p.invoice_id = f.id),
      (select coalesce(sum(c.total_ore), 0)::bigint from sales.invoices c
        where c.credited_invoice_id = f.id and c.status <> 'draft'),
      f.open_ore, f.voucher_id, f.currency, f.exchange_rate_e6, f.currency_rounding, f.created_at, f.updated_at,
      (select coalesce(jsonb_agg(jsonb_build_object('row_no', r.row_no, 'article_number', r.article_number,
          'description', r.description, 'quantity_e4', r.quantity_e4, 'unit', r.unit, 'unit_price_e4', r.unit_price_e4,
          'discount_e2', r.discount_e2, 'vat_rate', r.vat_rate, 'account', r.account, 'net_ore', r.net_ore,
          'vat_ore', r.vat_ore, 'oss_country', r.oss_country, 'oss_rate_e2', r.oss_rate_e2,
          'currency_net', r.currency_net, 'currency_vat', r.currency_vat) order by r.row_no), '[]')
        from sales.invoice_rows r where r.invoice_id = f.id),
      (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'date', p.payment_date, 'amount_ore', p.amount_ore,
          'kind', p.kind, 'account', p.account, 'reference', p.reference, 'voucher_id', p.voucher_id)
          order by p.payment_date, p.id), '[]')
        from sales.payments p where p.invoice_id = f.id),
      (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'number', c.number, 'date', c.invoice_date,
          'total_ore', c.total_ore, 'refund_id', r.external_id) order by c.number), '[]')
        from sales.invoices c left join intake.orders r on r.invoice_id = c.id and r.kind = 'refund'
        where c.credited_invoice_id = f.id and c.status <> 'draft'),
      s.place < s.all_found
    from found f join sized s on s.id = f.id left join intake.orders o on o.invoice_id = f.id
    where s.place <= p_limit and (s.place = 1 or s.before < 5000)
    order by f.id;
end $$;
