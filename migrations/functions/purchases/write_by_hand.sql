-- An invoice or outlay as a person has written it, new or changed while nothing is booked. `p_invoice`: id, status,
-- kind, supplier_id, seller, invoice_number, issue_date, due_date, currency, exchange_rate_e6, net_ore, vat_ore,
-- rounding_ore, payable_ore, payment, warnings, debt_account, laid_out_by, written; no currency is kronor. One that is
-- there raises invoices_by_hand_key.
create or replace function purchases.write_by_hand(p_invoice jsonb, p_actor text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  insert into purchases.invoices as i (id, is_by_hand, status, kind, supplier_id, seller, invoice_number,
    issue_date, due_date, currency, exchange_rate_e6, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore, payment,
    warnings, debt_account, laid_out_by, written, written_by)
  select n.id, true, case n.status when 'review' then 'review' else 'new' end, n.kind, n.supplier_id, n.seller,
    n.invoice_number, n.issue_date, n.due_date, coalesce(n.currency, 'SEK'), n.exchange_rate_e6, n.net_ore, n.vat_ore,
    n.rounding_ore, 0, n.payable_ore, n.payment, n.warnings, n.debt_account, n.laid_out_by, n.written, audit.actor(p_actor)
  from jsonb_to_record(p_invoice) as n (id uuid, status text, kind text, supplier_id uuid, seller jsonb,
    invoice_number text, issue_date date, due_date date, currency text, exchange_rate_e6 bigint,
    net_ore bigint, vat_ore bigint, rounding_ore bigint, payable_ore bigint, payment jsonb,
    warnings jsonb, debt_account integer, laid_out_by text, written jsonb)
  on conflict (id) do update set status = excluded.status, kind = excluded.kind,
    supplier_id = excluded.supplier_id, seller = excluded.seller, invoice_number = excluded.invoice_number,
    issue_date = excluded.issue_date, due_date = excluded.due_date, currency = excluded.currency,
    exchange_rate_e6 = excluded.exchange_rate_e6, net_ore = excluded.net_ore,
    vat_ore = excluded.vat_ore, rounding_ore = excluded.rounding_ore, payable_ore = excluded.payable_ore,
    payment = excluded.payment, warnings = excluded.warnings, debt_account = excluded.debt_account,
    laid_out_by = excluded.laid_out_by, written = excluded.written, written_by = excluded.written_by,
    booking_refusal = null
  where i.is_by_hand;
  if not found then
    raise exception 'a supplier invoice that came as a document is not written by hand'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
end $$;
