-- Books drafts, the one way an invoice comes to be: number, OCR, voucher, the frozen debtor and terms
-- in the caller's transaction. The caller gives each draft's voucher rows, ordered by item and row. One that a
-- lock or a missing account stops stays a draft with the reason; its neighbours are booked, and no
-- number is lost. An item that is no draft is left as it is, so booking twice books once.
--   Rows that are not what the invoice says (sales.voucher_amounts), and an invoice that stands twice, raise.
--   An invoice of which nothing remains on any account comes with rows of zero. It is judged by them as
--   any other, gets number and OCR, and is `paid` without a voucher: nothing happened in kronor.
--   Rows of sales with the VAT of other countries, and of that VAT, come one for each country and rate, in that order; the voucher
--   notes which, so that 2670 can be read by country.
-- Answers as ledger.post_vouchers does, but the number is the invoice's, and its status is told.
create or replace function sales.book_invoices(
  p_invoice_id uuid[], p_voucher_id uuid[], p_actor text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[]
) returns table (item integer, number integer, ocr text, status text, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_items constant integer := cardinality(p_invoice_id);
  c_rows constant integer := cardinality(p_row_item);
  v_invoice record;
  v_before uuid;
  v_faulty uuid;
  v_judged record;
  v_posted integer := 0;
  v_last integer;
  v_number integer[] := array_fill(null::integer, array[c_items]);
  v_status text[] := array_fill(null::text, array[c_items]);
  v_error text[] := array_fill(null::text, array[c_items]);
  v_detail jsonb[] := array_fill(null::jsonb, array[c_items]);
  v_skip boolean[] := array_fill(true, array[c_items]);
  v_refused boolean[] := array_fill(true, array[c_items]);
  v_date date[] := array_fill(null::date, array[c_items]);
  v_kind text[] := array_fill('invoice'::text, array[c_items]);
  v_name text[] := array_fill(null::text, array[c_items]);
  v_due bigint[] := array_fill(null::bigint, array[c_items]);
  v_has_rows boolean[] := array_fill(false, array[c_items]);
  v_moves_money boolean[] := array_fill(false, array[c_items]);
  v_credited uuid[] := '{}';
  v_series text[] := array_fill('B'::text, array[c_items]);
  v_source text[] := array_fill('invoice'::text, array[c_items]);
  v_nothing text[] := array_fill(null::text, array[c_rows]);
  v_no_dimension uuid[] := array_fill(null::uuid, array[c_rows]);
  v_row_vat_code text[];
  v_note text[] := v_nothing;
begin
  perform restricted.require_lists(c_items, array_dims(p_invoice_id), array_dims(p_voucher_id),
    array_dims(p_actor), array_dims(p_request_id));
  perform restricted.require_lists(c_rows, array_dims(p_row_item), array_dims(p_row_no),
    array_dims(p_row_account), array_dims(p_row_debit), array_dims(p_row_credit));
  for r in 1..c_rows loop
    if p_row_item[r] not between 1 and c_items then
      raise exception 'row % is of no invoice', r using errcode = '22023';
    end if;
    v_has_rows[p_row_item[r]] := true;
    if p_row_debit[r] <> p_row_credit[r] then v_moves_money[p_row_item[r]] := true; end if;
  end loop;
  for v_invoice in
    select u.item, i.id, i.status, i.kind, i.number, i.invoice_date, i.total_ore, i.credited_invoice_id,
      left(i.debtor ->> 'name', 200) as name
    from unnest(p_invoice_id) with ordinality as u (id, item)
    cross join lateral (select * from sales.invoices where id = u.id limit 1) as i
    order by i.id for update of i
  loop
    if v_invoice.id = v_before then
      raise exception 'invoice % is asked for twice', v_before using errcode = '22023';
    end if;
    v_before := v_invoice.id;
    item := v_invoice.item;
    v_number[item] := v_invoice.number;
    continue when v_invoice.status <> 'draft';
    v_refused[item] := false;
    v_date[item] := v_invoice.invoice_date;
    v_kind[item] := v_invoice.kind;
    v_name[item] := v_invoice.name;
    v_due[item] := case v_invoice.kind when 'invoice' then v_invoice.total_ore
      else -v_invoice.total_ore end;
    v_skip[item] := false;
    if not v_has_rows[item] then
      raise exception 'invoice % comes without the rows that it is judged by', p_invoice_id[item]
        using errcode = 'HB002', constraint = 'invoices_are_judged_by_rows';
    end if;
    if v_invoice.credited_invoice_id is not null then
      v_credited := v_credited || v_invoice.credited_invoice_id;
    end if;
  end loop;

  -- The caller's rows are the invoice's own, on every account: what is posted is never changed.
  if false = any (v_skip) then
    select p_invoice_id[m.item] into v_faulty
    from (
      select u.item, own.account, own.credit_ore
      from unnest(p_invoice_id, v_skip) with ordinality as u (id, skip, item)
      cross join lateral sales.voucher_amounts(u.id) as own
      where not u.skip
      union all
      select r.item, r.account, r.debit - r.credit
      from unnest(p_row_item, p_row_account, p_row_debit, p_row_credit)
        as r (item, account, debit, credit)
      where not v_skip[r.item]) as m
    group by m.item, m.account having sum(m.credit_ore) <> 0 limit 1;
    if found then
      raise exception 'the rows given for the voucher of invoice % are not what it says', v_faulty
        using errcode = 'HB002', constraint = 'invoices_voucher_is_theirs';
    end if;
  end if;

  -- A credit note goes down in the boxes that the sale went up in, whatever code the chart has now.
  if v_credited <> '{}' then
    select array_agg(sold.code order by r.place) into v_row_vat_code
    from unnest(p_row_item, p_row_account) with ordinality as r (item, account, place)
    left join lateral (
      select coalesce(s.vat_code, '') as code
      from sales.invoices note
      join sales.invoices i on i.id = note.credited_invoice_id
      join ledger.voucher_rows s on s.voucher_id = i.voucher_id
      where note.id = p_invoice_id[r.item] and s.account = r.account limit 1) as sold on true;
  end if;

  if exists (select from sales.invoice_rows r where r.invoice_id = any (p_invoice_id) and r.oss_country is not null) then
    select array_agg(case when g.country <> '' and abs(g.ore) = r.debit + r.credit
      then format('OSS %s %s %%', g.country, replace(trim_scale(g.rate_e2 / 100.0)::text, '.', ',')) end order by r.place)
    into v_note
    from (
      select p.*, row_number() over (partition by p.item, p.account order by p.place) as nth
      from unnest(p_row_item, p_row_account, p_row_debit, p_row_credit) with ordinality
        as p (item, account, debit, credit, place)) as r
    left join (
      select s.*, row_number() over (partition by s.item, s.account
        order by s.country collate "C", s.rate_e2) as nth
      from (
        select u.item, v.account, coalesce(w.oss_country, '') as country, coalesce(w.oss_rate_e2, 0) as rate_e2,
          sum(v.ore) as ore
        from unnest(p_invoice_id) with ordinality as u (id, item)
        join sales.invoice_rows w on w.invoice_id = u.id
        cross join lateral (values (w.account, w.net_ore), (case when w.oss_country is not null then 2670 end, w.vat_ore))
          as v (account, ore)
        group by 1, 2, 3, 4 having sum(v.ore) <> 0) as s) as g
      on g.item = r.item and g.account = r.account and g.nth = r.nth;
  end if;

  -- Judged before any number is taken, so that a refused invoice costs none. The judging keeps the
  -- series locked: what passes here is posted below.
  if false = any (v_skip) then
    for v_judged in
      select * from ledger.post_vouchers(p_voucher_id, v_series, v_date, v_source, v_name, v_source,
        p_actor, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit,
        v_nothing, v_no_dimension, v_no_dimension, v_skip, true, v_row_vat_code) as j
      where j.error is not null
    loop
      v_error[v_judged.item] := v_judged.error;
      v_detail[v_judged.item] := v_judged.detail;
      v_skip[v_judged.item] := true;
      v_refused[v_judged.item] := true;
    end loop;
  end if;
  update sales.invoices i
  set booking_refusal = jsonb_build_object('error', r.error, 'detail', r.detail)
  from unnest(p_invoice_id, v_error, v_detail) as r (id, error, detail)
  where i.id = r.id and r.error is not null;

  if false = any (v_refused) then
    update sales.invoice_numbers n
    set last_number = n.last_number + cardinality(array_positions(v_refused, false))
    returning n.last_number - cardinality(array_positions(v_refused, false)) into v_last;
    for i in 1..c_items loop
      continue when v_refused[i];
      v_last := v_last + 1;
      v_number[i] := v_last;
      v_skip[i] := not v_moves_money[i];
      v_status[i] := case when v_due[i] = 0 and v_kind[i] = 'invoice' then 'paid' else 'booked' end;
    end loop;

    if false = any (v_skip) then
      select count(*) into v_posted
      from ledger.post_vouchers(p_voucher_id, v_series, v_date,
        array(select case u.kind when 'invoice' then 'Kundfaktura ' else 'Kreditfaktura ' end
            || coalesce(u.number, 0)
          from unnest(v_kind, v_number) with ordinality as u (kind, number, item) order by u.item),
        v_name, v_source, p_actor, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit,
        p_row_credit, v_note, v_no_dimension, v_no_dimension, v_skip, false, v_row_vat_code) as p
      where p.number is not null;
    end if;
    if v_posted <> cardinality(array_positions(v_skip, false)) then
      raise exception 'an accepted invoice was refused by the ledger';
    end if;

    -- What was agreed is what holds for this claim, whatever is agreed later (räntelagen 1, 3 and 4 §§).
    -- An order's buyer is who ordered and a credit note's whom the invoice was to; otherwise the
    -- register says, as it stands today.
    update sales.invoices i set status = b.status, number = b.number, ocr = sales.ocr_for(b.number),
      voucher_id = case when not b.skip then b.voucher_id end, booked_at = now(),
      booking_refusal = null,
      open_ore = case i.kind when 'invoice' then i.total_ore else 0 end,
      debtor = case when i.source = 'order' or i.kind = 'credit_note' then i.debtor
        else sales.debtor_of(c) end,
      agreed_rate_e2 = c.agreed_rate_e2, interest_from = terms.interest_from,
      interest_is_stated = terms.interest_is_stated,
      reminder_fee_is_agreed = terms.reminder_fee_is_agreed
    from unnest(p_invoice_id, v_number, v_status, p_voucher_id, v_skip, v_refused)
      as b (id, number, status, voucher_id, skip, refused)
    cross join lateral (select customer_id from sales.invoices where id = b.id limit 1) as own
    cross join lateral (select * from sales.customers where id = own.customer_id limit 1) as c
    cross join (select interest_from, interest_is_stated, reminder_fee_is_agreed
      from restricted.company limit 1) as terms
    where not b.refused and i.id = b.id;
    if v_credited <> '{}' then
      perform sales.settle(v_credited);
    end if;
    if exists (select from sales.order_payments p where p.invoice_id = any (p_invoice_id)) then
      for i in 1..c_items loop
        continue when v_refused[i];
        perform sales.settle_as_ordered(p_invoice_id[i], p_actor[i], p_request_id[i]);
        -- Told as it stands now that it has been paid.
        v_status[i] := (select n.status from sales.invoices n where n.id = p_invoice_id[i]);
      end loop;
    end if;
  end if;

  return query select u.item::integer, u.number, sales.ocr_for(u.number), u.status, u.error, u.detail
    from unnest(v_number, v_status, v_error, v_detail) with ordinality
      as u (number, status, error, detail, item);
end $$;
