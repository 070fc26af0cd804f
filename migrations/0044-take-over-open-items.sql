-- What customers owed and what was owed to suppliers when the books began here, invoice by invoice. Such an
-- item has no voucher of its own: the sale or the cost was booked in the system before, and the opening
-- balance holds the sum. It bears the number it went out with, which the company's own series goes on
-- from. Four checks and three functions are written anew to let it in; one look through each of the
-- tables of invoices (writes to them wait meanwhile, about a second for a million).

alter table sales.invoices
  -- What the invoice was on, when part of it was settled before it came here; null when nothing was.
  add column original_total_ore bigint,
  drop constraint invoices_source_known,
  add constraint invoices_source_known check (source in ('order', 'api', 'app', 'opening')),
  drop constraint invoices_amount_is_posted,
  add constraint invoices_amount_is_posted check
    (status = 'draft' or voucher_id is not null or total_ore = 0 or source = 'opening'),
  add constraint invoices_opening_is_open check (source <> 'opening'
    or (status <> 'draft' and kind = 'invoice' and voucher_id is null and total_ore > 0)),
  add constraint invoices_original_total check (original_total_ore is null
    or (source = 'opening' and original_total_ore > total_ore));
create index invoices_opening on sales.invoices (number) where source = 'opening';

alter table purchases.invoices
  alter column document_id drop not null,
  add column original_payable_ore bigint,
  -- Without a document it was taken over with the opening balance.
  add constraint invoices_opening_is_booked check (document_id is not null
    or (status = 'booked' and voucher_id is null and payable_ore <> 0)),
  add constraint invoices_original_payable check (original_payable_ore is null or document_id is null);
create index invoices_opening on purchases.invoices (supplier_id) where document_id is null;
-- The same invoice is not taken over twice.
create unique index invoices_opening_key on purchases.invoices (supplier_id, invoice_number)
  where document_id is null;

-- Frozen as before (0009), but what was taken over by mistake may go while nothing has happened to it.
create or replace function sales.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' and old.source = 'opening' and old.open_ore = old.total_ore
    and not exists (select from sales.payments p where p.invoice_id = old.id)
    and not exists (select from sales.reminders r where r.invoice_id = old.id)
    and not exists (select from sales.invoices c where c.credited_invoice_id = old.id) then
    return old;
  end if;
  if tg_op = 'TRUNCATE' or (old.status <> 'draft' and (tg_op = 'DELETE' or new.status = 'draft'
      or to_jsonb(new) - '{status,open_ore}'::text[]
        is distinct from to_jsonb(old) - '{status,open_ore}'::text[])) then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;

create or replace function purchases.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' and old.document_id is null and old.open_ore = old.payable_ore
    and not exists (select from purchases.payments p where p.invoice_id = old.id) then
    return old;
  end if;
  if tg_op = 'TRUNCATE' or (old.status in ('booked', 'rejected') and (tg_op = 'DELETE'
      or to_jsonb(new) - 'open_ore' is distinct from to_jsonb(old) - 'open_ore')) then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;

-- As before (0004): rows join drafts. An item that was taken over gets all of its rows at once, and never more.
create or replace function sales.check_new_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where i.status <> 'draft' and (i.source <> 'opening' or exists (
        select from sales.invoice_rows r where r.invoice_id = i.id and not exists (
          select from added o where o.invoice_id = r.invoice_id and o.row_no = r.row_no)))) then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return null;
end $$;

-- Takes over customers' invoices. Each of `p_items`: id, customer_id, number, ocr (null: as ours), invoice_date,
-- due_date, total_ore, original_total_ore, notes, rows (row_no, description, account, vat_rate, net_ore,
-- vat_ore). Numbers that are taken raise invoices_number_key.
create function sales.add_opening_invoices(p_items jsonb, p_actor text) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The terms of interest and fees are those of today, as when an invoice is booked (0034).
  -- Held as booking holds it, so that nobody is given one of the numbers meanwhile.
  update sales.invoice_numbers n set last_number = greatest(n.last_number,
    (select max((i ->> 'number')::integer) from jsonb_array_elements(p_items) as i));
  insert into sales.invoices (id, source, created_by, customer_id, invoice_date, due_date,
    payment_terms_days, notes, debtor, net_ore, vat_ore, total_ore, original_total_ore, number, ocr,
    status, booked_at, agreed_rate_e2, interest_from, interest_is_stated, reminder_fee_is_agreed)
  select i.id, 'opening', p_actor, i.customer_id, i.invoice_date, i.due_date,
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
end $$;

-- Takes back what was taken over by mistake. The series goes back too, when no invoice of its own has
-- followed. False when there is no such item.
create function sales.remove_opening_invoice(p_id uuid) returns boolean language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_open bigint;
  v_number integer;
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  perform from sales.invoice_numbers for update;
  delete from sales.invoices i where i.id = p_id and i.source = 'opening'
    returning i.open_ore, i.number into v_open, v_number;
  if not found then return false; end if;
  update sales.receivables r set open_ore = r.open_ore - v_open;
  update sales.invoice_numbers n
  set last_number = greatest(1000, coalesce((select max(i.number) from sales.invoices i), 0))
  where n.last_number = v_number;
  return true;
end $$;

-- The same of a supplier's.
create function purchases.remove_opening_invoice(p_id uuid) returns boolean language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  delete from purchases.invoices i where i.id = p_id and i.document_id is null;
  return found;
end $$;
