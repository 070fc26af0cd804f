-- Takes over suppliers' invoices. Each of `p_items`: id, supplier_id, number, reference, invoice_date, due_date,
-- payable_ore, original_payable_ore, booking_date. One that is there already raises invoices_opening_key.
create or replace function purchases.add_opening_invoices(p_items jsonb, p_actor text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  -- Held against the balance of the day of the move, which stays meanwhile.
  perform from restricted.company for share;
  insert into purchases.invoices (id, status, kind, supplier_id, seller, invoice_number, issue_date,
    due_date, currency, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore, original_payable_ore,
    payment, booking_date, open_ore, decided_at, decided_by)
  select i.id, 'booked', case when i.payable_ore > 0 then 'invoice' else 'credit_note' end, s.id,
    jsonb_build_object('name', s.name, 'organizationNumber', s.organization_number,
      'vatNumber', s.vat_number, 'endpoint', s.endpoint, 'countryCode', s.country_code),
    i.number, i.invoice_date, i.due_date, 'SEK', i.payable_ore, 0, 0, 0, i.payable_ore,
    i.original_payable_ore,
    jsonb_build_object('accounts', (select coalesce(jsonb_agg(jsonb_build_object('kind', a.kind,
        'number', a.number, 'bic', null)), '[]')
        from purchases.supplier_accounts a where a.supplier_id = s.id),
      'reference', i.reference, 'isOcr', false, 'payee', null, 'isPaidOtherwise', false),
    i.booking_date, i.payable_ore, clock_timestamp(), audit.actor(p_actor)
  from jsonb_to_recordset(p_items) as i (id uuid, supplier_id uuid, number text, reference text,
    invoice_date date, due_date date, payable_ore bigint, original_payable_ore bigint,
    booking_date date)
  join purchases.suppliers s on s.id = i.supplier_id;
  perform sales.judge_opening_items(2440);
end $$;
