-- Takes over customers' invoices. Each of `p_items`: id, customer_id, number, ocr (null: as ours), invoice_date,
-- due_date, total_ore, original_total_ore, notes, rows (row_no, description, account, vat_rate, net_ore,
-- vat_ore). Numbers that are taken raise invoices_number_key.
-- Together they stay within the opening balance.
create or replace function sales.add_opening_invoices(p_items jsonb, p_actor text) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  -- Held against the balance of the day of the move, which stays meanwhile.
  perform from restricted.company for share;
  -- The terms of interest and fees are those of today, as when an invoice is booked.
  -- Held as booking holds it, so that nobody is given one of the numbers meanwhile.
  update sales.invoice_numbers n set last_number = greatest(n.last_number,
    (select max((i ->> 'number')::integer) from jsonb_array_elements(p_items) as i));
  insert into sales.invoices (id, source, created_by, customer_id, invoice_date, due_date,
    payment_terms_days, notes, debtor, net_ore, vat_ore, total_ore, original_total_ore, number, ocr,
    status, booked_at, agreed_rate_e2, interest_from, interest_is_stated, reminder_fee_is_agreed)
  select i.id, 'opening', audit.actor(p_actor), i.customer_id, i.invoice_date, i.due_date,
    least(greatest(i.due_date - i.invoice_date, 0), 90), i.notes, sales.debtor_of(c), amounts.net,
    i.total_ore - amounts.net, i.total_ore, i.original_total_ore, i.number,
    coalesce(i.ocr, sales.ocr_for(i.number)), 'booked', now(), c.agreed_rate_e2, terms.interest_from,
    terms.interest_is_stated, terms.reminder_fee_is_agreed
  from jsonb_to_recordset(p_items) as i (id uuid, customer_id uuid, number integer, ocr text,
    invoice_date date, due_date date, total_ore bigint, original_total_ore bigint, notes text, rows jsonb)
  join sales.customers c on c.id = i.customer_id
  cross join restricted.company as terms
  cross join lateral (select sum((r ->> 'net_ore')::bigint)::bigint as net
    from jsonb_array_elements(i.rows) as r) as amounts;
  insert into sales.invoice_rows (invoice_id, row_no, description, quantity_e4, unit_price_e4,
    vat_rate, account, net_ore, vat_ore)
  select i.id, r.row_no, r.description, 10000, r.net_ore * 100, r.vat_rate, r.account, r.net_ore,
    r.vat_ore
  from jsonb_to_recordset(p_items) as i (id uuid, rows jsonb)
  cross join lateral jsonb_to_recordset(i.rows) as r (row_no integer, description text,
    account integer, vat_rate integer, net_ore bigint, vat_ore bigint);
  -- What remains of each is what it is on; the sum of receivables follows.
  perform sales.settle(array(select (i ->> 'id')::uuid from jsonb_array_elements(p_items) as i));
  perform sales.judge_opening_items(1510);
end $$;
