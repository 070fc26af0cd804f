-- POST /api/v1/kundfakturor, many calls at once: judged, checked against customers and accounts, drafted
-- and, where asked, booked; what wrote something is stored with its answer. A booking that a lock or
-- a missing account stops leaves the draft. A dry run stops before anything is written.
--   outcome  created | not_bookable | replayed (all with the invoice's `id`, of a dry run none, and what is `told`) |
--            unprocessable (with `detail`) | as restricted.judge_calls
--   told     {status, number, ocr, net_ore, vat_ore, due_date} of the invoice as it then was; when it could not
--            be booked {error, detail}, as ledger.post_vouchers says it
-- p_rows: of each invoice a JSON list of its rows by the table's own columns; rows of another are not its.
create or replace function api.create_invoices(
  p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[],
  p_request_id uuid[], p_id uuid[], p_customer_id uuid[], p_invoice_date date[], p_delivery_date date[],
  p_due_date date[], p_payment_terms_days integer[], p_your_reference text[], p_notes text[], p_net bigint[],
  p_vat bigint[], p_book boolean[], p_voucher_id uuid[],
  p_rows jsonb[],
  p_post_item integer[], p_post_no integer[], p_post_account integer[], p_post_debit bigint[],
  p_post_credit bigint[], p_dry_run boolean
) returns table (item integer, outcome text, id uuid, told jsonb, detail jsonb,
  first_request_id uuid, first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_route constant text := 'POST /api/v1/kundfakturor';
  c_items constant integer := cardinality(p_id);
  v_call record;
  v_key_id uuid[] := array_fill(null::uuid, array[c_items]);
  v_actor text[] := array_fill(null::text, array[c_items]);
  v_outcome text[] := array_fill(null::text, array[c_items]);
  v_detail jsonb[] := array_fill(null::jsonb, array[c_items]);
  v_stored restricted.idempotency[] := array_fill(null::restricted.idempotency, array[c_items]);
  v_to_book uuid[] := array_fill(null::uuid, array[c_items]);
  v_number integer[] := array_fill(null::integer, array[c_items]);
  v_ocr text[] := array_fill(null::text, array[c_items]);
  v_status text[] := array_fill('draft'::text, array[c_items]);
  v_error text[] := array_fill(null::text, array[c_items]);
  -- Of those that are written now.
  v_told jsonb[] := array_fill(null::jsonb, array[c_items]);
  -- What the vouchers of all invoices have alike.
  v_series text[] := array_fill('B'::text, array[c_items]);
  v_source text[] := array_fill('invoice'::text, array[c_items]);
  v_nothing text[] := array_fill(null::text, array[cardinality(p_post_item)]);
  v_no_dimension uuid[] := array_fill(null::uuid, array[cardinality(p_post_item)]);
  -- What the judge of drafts asks of the rows.
  v_row_item integer[];
  v_row_no integer[];
  v_row_account integer[];
  v_row_vat_rate integer[];
begin
  -- Neither tried nor made would write no draft, and then book the one that has the id already: somebody else's.
  if p_dry_run is null then
    raise exception 'a call is tried or done' using errcode = '22004';
  end if;
  -- What has no key, customer or amount of its own is not made, and another's draft is not booked for it.
  perform restricted.require_lists(c_items, array_dims(p_hash), array_dims(p_id), array_dims(p_customer_id),
    array_dims(p_invoice_date), array_dims(p_delivery_date), array_dims(p_due_date),
    array_dims(p_payment_terms_days), array_dims(p_your_reference), array_dims(p_notes), array_dims(p_net),
    array_dims(p_vat), array_dims(p_book), array_dims(p_voucher_id), array_dims(p_request),
    array_dims(p_request_id), array_dims(p_rows));
  for v_call in select * from restricted.judge_calls(
    c_route, array['ledger:write', 'data:read'], p_hash, p_idempotency_key, p_request_hash)
  loop
    v_key_id[v_call.item] := v_call.key_id;
    v_actor[v_call.item] := 'key:' || v_call.key_id;
    v_outcome[v_call.item] := v_call.outcome;
    v_stored[v_call.item] := v_call.stored;
  end loop;

  select coalesce(array_agg(i.item), '{}'), coalesce(array_agg(r.row_no), '{}'),
    coalesce(array_agg(r.account), '{}'), coalesce(array_agg(r.vat_rate), '{}')
  into v_row_item, v_row_no, v_row_account, v_row_vat_rate
  from unnest(p_rows) with ordinality as i (rows, item)
  cross join lateral jsonb_to_recordset(i.rows) as r (row_no integer, account integer, vat_rate integer);

  -- Nearly always nothing hinders: then these two looks are all.
  if exists (select from unnest(p_customer_id) as i (id)
      where not exists (select from sales.customers c where c.id = i.id and c.is_active))
    or sales.rows_may_be_in_doubt(v_row_account, v_row_vat_rate) then
    for v_call in select p.item, p.problems from sales.draft_problems(
      p_customer_id, v_row_item, v_row_no, v_row_account, v_row_vat_rate) p
    loop
      continue when v_outcome[v_call.item] is not null;
      v_outcome[v_call.item] := 'unprocessable';
      v_detail[v_call.item] := jsonb_build_object('problems', v_call.problems);
    end loop;
  end if;
  for i in 1..c_items loop
    continue when v_outcome[i] is not null;
    v_outcome[i] := 'created';
    v_to_book[i] := case when p_book[i] then p_id[i] end;
  end loop;

  if 'created' = any (v_outcome) and not p_dry_run then
    with invoice as (
      insert into sales.invoices (id, source, created_by, customer_id, invoice_date, delivery_date,
        due_date, payment_terms_days, your_reference, notes, debtor, net_ore, vat_ore, total_ore)
      select i.id, 'api', i.actor, i.customer_id, i.invoice_date, i.delivery_date, i.due_date,
        i.payment_terms_days, i.your_reference, i.notes, sales.debtor_of(c), i.net, i.vat, i.net + i.vat
      from unnest(p_id, v_actor, p_customer_id, p_invoice_date, p_delivery_date, p_due_date,
          p_payment_terms_days, p_your_reference, p_notes, p_net, p_vat, v_outcome)
        as i (id, actor, customer_id, invoice_date, delivery_date, due_date, payment_terms_days,
          your_reference, notes, net, vat, outcome)
      cross join lateral (select * from sales.customers where id = i.customer_id limit 1) as c
      where i.outcome = 'created'
    )
    insert into sales.invoice_rows
    select r.* from unnest(p_id, p_rows, v_outcome) as i (id, rows, outcome)
    cross join lateral jsonb_populate_recordset(null::sales.invoice_rows, i.rows) as r
    where i.outcome = 'created' and r.invoice_id = i.id;
  end if;

  if p_dry_run then
    for v_call in select * from ledger.post_vouchers(p_voucher_id, v_series, p_invoice_date, v_series,
      v_series, v_source, v_actor, p_request_id, p_post_item, p_post_no, p_post_account, p_post_debit,
      p_post_credit, v_nothing, v_no_dimension, v_no_dimension,
      array(select id is null from unnest(v_to_book) with ordinality as u (id, item) order by item), true)
    loop
      v_error[v_call.item] := v_call.error;
      v_detail[v_call.item] := coalesce(v_detail[v_call.item], v_call.detail);
    end loop;
  elsif array_remove(v_to_book, null) <> '{}' then
    for v_call in select * from sales.book_invoices(v_to_book, p_voucher_id, v_actor, p_request_id,
      p_post_item, p_post_no, p_post_account, p_post_debit, p_post_credit)
    loop
      v_number[v_call.item] := v_call.number;
      v_ocr[v_call.item] := v_call.ocr;
      v_status[v_call.item] := coalesce(v_call.status, 'draft');
      v_error[v_call.item] := v_call.error;
      v_detail[v_call.item] := coalesce(v_detail[v_call.item], v_call.detail);
    end loop;
  end if;

  for i in 1..c_items loop
    item := i;
    outcome := v_outcome[i];
    detail := v_detail[i];
    id := v_stored[i].made;
    told := v_stored[i].told;
    first_request_id := v_stored[i].request_id;
    first_seen_at := v_stored[i].created_at;
    first_request := case outcome when 'idempotency_conflict' then v_stored[i].request end;
    if outcome = 'created' then
      if v_error[i] is not null then
        outcome := 'not_bookable';
        told := jsonb_build_object('error', v_error[i], 'detail', detail);
        detail := null;
      else
        told := jsonb_build_object('status', v_status[i], 'number', v_number[i], 'ocr', v_ocr[i],
          'net_ore', p_net[i], 'vat_ore', p_vat[i], 'due_date', p_due_date[i]);
      end if;
      if not p_dry_run then
        id := p_id[i];
        v_told[i] := told;
      end if;
    end if;
    return next;
  end loop;

  insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request, request_id, made,
    told)
  select k.first_id, c_route, c.idempotency_key, c.request_hash, c.request, c.request_id, c.id, c.told
  from unnest(v_key_id, p_idempotency_key, p_request_hash, p_request, p_request_id, p_id, v_told)
    as c (key_id, idempotency_key, request_hash, request, request_id, id, told)
  join restricted.first_keys(v_key_id) k using (key_id)
  where c.told is not null;
end $$;
