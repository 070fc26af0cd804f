-- What stands on an invoice, a credit note or a draft; null when there is none. The seller is the company as it is now: the same one that
-- booked, at the address it has today. A credit note has the reference of the invoice that it takes back. What has been paid is what
-- its order said (of a refund: paid back), tips aside: what comes later changes no document. Whole numbers that may be large are text, which
-- JSON's readers keep exactly.
create or replace function sales.invoice_document(p_id uuid) returns jsonb language sql stable
set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('kind', i.kind, 'status', i.status, 'number', i.number, 'ocr', i.ocr,
    'invoice_date', i.invoice_date, 'delivery_date', i.delivery_date, 'due_date', i.due_date,
    'payment_terms_days', i.payment_terms_days, 'prices_include_vat', i.prices_include_vat,
    'your_reference', coalesce(i.your_reference, o.your_reference), 'notes', i.notes,
    'net_ore', i.net_ore::text, 'vat_ore', i.vat_ore::text,
    'rounding_ore', i.rounding_ore::text, 'total_ore', i.total_ore::text,
    'paid_ore', (select coalesce(sum(p.amount_ore - p.tip_ore), 0)::text from sales.order_payments p where p.invoice_id = i.id),
    'currency', i.currency,
    'exchange_rate_e6', i.exchange_rate_e6::text, 'currency_rounding', i.currency_rounding::text,
    'agreed_rate_e2', i.agreed_rate_e2, 'interest_from', i.interest_from,
    'interest_is_stated', i.interest_is_stated, 'buyer', i.debtor,
    'seller', sales.printed_seller(),
    'credited', case when o.id is not null
      then jsonb_build_object('number', o.number, 'date', o.invoice_date) end,
    'rows', coalesce((
      select jsonb_agg(jsonb_build_object('rowNo', r.row_no, 'articleNumber', r.article_number,
          'description', r.description, 'quantityE4', r.quantity_e4::text, 'unit', r.unit,
          'unitPriceE4', r.unit_price_e4::text, 'discountE2', r.discount_e2::text, 'vatRate', r.vat_rate,
          'account', r.account, 'netOre', r.net_ore::text, 'vatOre', r.vat_ore::text,
          'ossCountry', r.oss_country, 'ossRateE2', r.oss_rate_e2, 'ossSupply', r.oss_supply,
          'currencyNet', r.currency_net::text, 'currencyVat', r.currency_vat::text, 'vatBox', a.vat_box,
          'vatDoubt', sales.vat_doubt(a.vat_box, r.vat_rate, i.debtor ->> 'countryCode', i.debtor ->> 'vatNumber'))
        order by r.row_no)
      from sales.invoice_rows r join ledger.accounts a on a.number = r.account
      where r.invoice_id = i.id), '[]'))
  from sales.invoices i left join sales.invoices o on o.id = i.credited_invoice_id
  where i.id = p_id
$$;
