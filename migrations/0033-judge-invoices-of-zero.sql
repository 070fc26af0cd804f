-- Invoices on zero kronor meet the same accounts, fiscal years and locks as any other, and are `paid` at
-- once: there is nothing to pay. Those already booked become so; their change of status is told as an
-- event. One look through sales.invoices for the new check (writes to it wait meanwhile, about a second
-- for a million), functions, and an update of few rows.

-- What remains of booked invoices and what that makes them, from what has happened to each:
--   credited  all of it was credited
--   paid      nothing remains: by payments or part credits, or because it is on zero kronor
--   booked    something remains
create or replace function sales.settle(p_invoice_ids uuid[]) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_faulty uuid;
begin
  -- Whoever settles holds the invoice, so that two of them do not each overlook the other's.
  perform from sales.invoices where id = any (p_invoice_ids) order by id for update;
  with fact as (
    select i.id, i.total_ore, f.fees, p.paid, c.credited, c.credits
    from sales.invoices i
    cross join lateral (select coalesce(sum(r.fee_ore), 0)::bigint as fees
      from sales.reminders r where r.invoice_id = i.id) as f
    cross join lateral (select coalesce(sum(p.amount_ore), 0)::bigint as paid
      from sales.payments p where p.invoice_id = i.id) as p
    cross join lateral (select coalesce(sum(c.total_ore), 0)::bigint as credited, count(*) as credits
      from sales.invoices c where c.credited_invoice_id = i.id and c.status <> 'draft') as c
    where i.id = any (p_invoice_ids) and i.status <> 'draft' and i.kind = 'invoice'
  )
  update sales.invoices i set
    open_ore = fact.total_ore + fact.fees - fact.paid - fact.credited,
    status = case
      when fact.credits > 0 and fact.credited >= fact.total_ore then 'credited'
      when fact.total_ore + fact.fees - fact.paid - fact.credited <= 0 then 'paid'
      else 'booked' end
  from fact where i.id = fact.id;

  select i.id into v_faulty from sales.invoices i
  where i.id = any (p_invoice_ids) and i.total_ore < (
    select sum(c.total_ore) from sales.invoices c
    where c.credited_invoice_id = i.id and c.status <> 'draft')
  limit 1;
  if found then
    raise exception 'invoice % is credited by more than it is', v_faulty
      using errcode = 'HB002', constraint = 'invoices_credited_within_total';
  end if;
end $$;

-- Only what left nothing in kronor is without a voucher, and no lock or missing year is got round by it.
alter table sales.invoices add constraint invoices_amount_is_posted
  check (status = 'draft' or voucher_id is not null or total_ore = 0);

create function sales.judge_unposted() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.rounding_ore <> 0 or exists (select from sales.invoice_rows r where r.invoice_id = new.id
      group by r.account having sum(r.net_ore) <> 0)
    or exists (select from sales.invoice_rows r where r.invoice_id = new.id
      group by r.vat_rate having sum(r.vat_ore) <> 0) then
    raise exception 'invoice % moves money between accounts and has no voucher', new.id
      using errcode = 'HB002', constraint = 'invoices_amount_is_posted';
  end if;
  if not exists (select from ledger.fiscal_years y
      where new.invoice_date between y.start_date and y.end_date)
    or ledger.find_lock(new.invoice_date, ledger.touches_vat(
      array(select r.account from sales.invoice_rows r where r.invoice_id = new.id))) is not null then
    raise exception 'invoice % is dated in no open fiscal year', new.id
      using errcode = 'HB002', constraint = 'invoices_are_in_open_years';
  end if;
  return new;
end $$;
create trigger invoices_without_voucher_are_judged before update on sales.invoices
  for each row when (old.status = 'draft' and new.status <> 'draft' and new.voucher_id is null)
  execute function sales.judge_unposted();

drop function sales.book_invoices(uuid[], uuid[], text[], uuid[], integer[], integer[], integer[],
  bigint[], bigint[]);
-- Books drafts, the one way an invoice comes to be: number, OCR, voucher and the frozen debtor in the
-- caller's transaction. The caller gives each draft's voucher rows, ordered by item and row. One that a
-- lock or a missing account stops stays a draft with the reason; its neighbours are booked, and no
-- number is lost. An item that is no draft is left as it is, so booking twice books once.
--   An invoice of which nothing remains on any account comes with rows of zero. It is judged by them as
--   any other, gets number and OCR, and is `paid` without a voucher: nothing happened in kronor.
-- Answers as ledger.post_vouchers does, but the number is the invoice's, and its status is told.
create function sales.book_invoices(
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
  c_receivables constant integer := 1510;
  v_invoice record;
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
  v_receivable bigint[] := array_fill(0::bigint, array[c_items]);
  v_has_rows boolean[] := array_fill(false, array[c_items]);
  v_moves_money boolean[] := array_fill(false, array[c_items]);
  v_credited uuid[] := '{}';
  v_series text[] := array_fill('B'::text, array[c_items]);
  v_source text[] := array_fill('invoice'::text, array[c_items]);
  v_nothing text[] := array_fill(null::text, array[c_rows]);
  v_no_dimension uuid[] := array_fill(null::uuid, array[c_rows]);
begin
  for r in 1..c_rows loop
    v_has_rows[p_row_item[r]] := true;
    if p_row_debit[r] <> p_row_credit[r] then v_moves_money[p_row_item[r]] := true; end if;
    if p_row_account[r] = c_receivables then
      v_receivable[p_row_item[r]] := v_receivable[p_row_item[r]] + p_row_debit[r] - p_row_credit[r];
    end if;
  end loop;
  for v_invoice in
    select u.item, i.status, i.kind, i.number, i.invoice_date, i.total_ore, i.credited_invoice_id,
      left(i.debtor ->> 'name', 200) as name
    from unnest(p_invoice_id) with ordinality as u (id, item)
    cross join lateral (select * from sales.invoices where id = u.id limit 1) as i
    order by i.id for update of i
  loop
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
    if v_receivable[item] <> v_due[item] then
      raise exception 'the voucher of invoice % claims % öre, not %', p_invoice_id[item],
        v_receivable[item], v_due[item]
        using errcode = 'HB002', constraint = 'invoices_voucher_claims_total';
    end if;
    if v_invoice.credited_invoice_id is not null then
      v_credited := v_credited || v_invoice.credited_invoice_id;
    end if;
  end loop;

  -- Judged before any number is taken, so that a refused invoice costs none. The judging keeps the
  -- series locked: what passes here is posted below.
  if false = any (v_skip) then
    for v_judged in
      select * from ledger.post_vouchers(p_voucher_id, v_series, v_date, v_source, v_name, v_source,
        p_actor, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit,
        v_nothing, v_no_dimension, v_no_dimension, v_skip, true) as j
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
        p_row_credit, v_nothing, v_no_dimension, v_no_dimension, v_skip) as p
      where p.number is not null;
    end if;
    if v_posted <> cardinality(array_positions(v_skip, false)) then
      raise exception 'an accepted invoice was refused by the ledger';
    end if;

    -- An order's buyer is who ordered and a credit note's whom the invoice was to; otherwise the
    -- register says, as it stands today.
    update sales.invoices i set status = b.status, number = b.number, ocr = sales.ocr_for(b.number),
      voucher_id = case when not b.skip then b.voucher_id end, booked_at = now(),
      booking_refusal = null,
      open_ore = case i.kind when 'invoice' then i.total_ore else 0 end,
      debtor = case when i.source = 'order' or i.kind = 'credit_note' then i.debtor
        else sales.debtor_of(c) end
    from unnest(p_invoice_id, v_number, v_status, p_voucher_id, v_skip, v_refused)
      as b (id, number, status, voucher_id, skip, refused)
    cross join lateral (select customer_id from sales.invoices where id = b.id limit 1) as own
    cross join lateral (select * from sales.customers where id = own.customer_id limit 1) as c
    where not b.refused and i.id = b.id;
    if v_credited <> '{}' then
      perform sales.settle(v_credited);
    end if;
  end if;

  return query select u.item::integer, u.number, sales.ocr_for(u.number), u.status, u.error, u.detail
    from unnest(v_number, v_status, v_error, v_detail) with ordinality
      as u (number, status, error, detail, item);
end $$;

-- POST /api/v1/kundfakturor, many calls at once: judged, checked against customers and accounts, drafted
-- and, where asked, booked; what wrote something is stored with its answer. A booking that a lock or
-- a missing account stops leaves the draft. A dry run stops before anything is written.
--   outcome  created | not_bookable (detail: error, detail, invoice_id; `replayed_refusal` when it is
--            told again) | unprocessable | as restricted.judge_calls
create or replace function api.create_invoices(
  p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[],
  p_request_id uuid[], p_id uuid[], p_customer_id uuid[], p_invoice_date date[], p_due_date date[],
  p_payment_terms_days integer[], p_your_reference text[], p_notes text[], p_net bigint[],
  p_vat bigint[], p_book boolean[], p_voucher_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_article text[], p_row_description text[],
  p_row_quantity bigint[], p_row_unit_price bigint[], p_row_vat_rate integer[],
  p_row_account integer[], p_row_net bigint[], p_row_vat bigint[],
  p_post_item integer[], p_post_no integer[], p_post_account integer[], p_post_debit bigint[],
  p_post_credit bigint[], p_dry_run boolean
) returns table (item integer, outcome text, response text, detail jsonb, first_request_id uuid,
  first_seen_at timestamptz, first_request text)
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
  -- What the vouchers of all invoices have alike.
  v_series text[] := array_fill('B'::text, array[c_items]);
  v_source text[] := array_fill('invoice'::text, array[c_items]);
  v_nothing text[] := array_fill(null::text, array[cardinality(p_post_item)]);
  v_no_dimension uuid[] := array_fill(null::uuid, array[cardinality(p_post_item)]);
begin
  for v_call in select * from restricted.judge_calls(
    c_route, array['ledger:write', 'data:read'], p_hash, p_idempotency_key, p_request_hash)
  loop
    v_key_id[v_call.item] := v_call.key_id;
    v_actor[v_call.item] := 'key:' || v_call.key_id;
    v_outcome[v_call.item] := v_call.outcome;
    v_stored[v_call.item] := v_call.stored;
  end loop;

  -- Nearly always nothing hinders: then these two looks are all.
  if exists (select from unnest(p_customer_id) as i (id)
      where not exists (select from sales.customers c where c.id = i.id and c.is_active))
    or sales.rows_may_be_in_doubt(p_row_account, p_row_vat_rate) then
    for v_call in select p.item, p.problems from sales.draft_problems(
      p_customer_id, p_row_item, p_row_no, p_row_account, p_row_vat_rate) p
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
      insert into sales.invoices (id, source, created_by, customer_id, invoice_date, due_date,
        payment_terms_days, your_reference, notes, debtor, net_ore, vat_ore, total_ore)
      select i.id, 'api', i.actor, i.customer_id, i.invoice_date, i.due_date, i.payment_terms_days,
        i.your_reference, i.notes, sales.debtor_of(c), i.net, i.vat, i.net + i.vat
      from unnest(p_id, v_actor, p_customer_id, p_invoice_date, p_due_date, p_payment_terms_days,
          p_your_reference, p_notes, p_net, p_vat, v_outcome)
        as i (id, actor, customer_id, invoice_date, due_date, payment_terms_days, your_reference,
          notes, net, vat, outcome)
      cross join lateral (select * from sales.customers where id = i.customer_id limit 1) as c
      where i.outcome = 'created'
    )
    insert into sales.invoice_rows (invoice_id, row_no, article_number, description, quantity_e4,
      unit_price_e4, vat_rate, account, net_ore, vat_ore)
    select p_id[r.item], r.row_no, r.article, r.description, r.quantity, r.unit_price, r.vat_rate,
      r.account, r.net, r.vat
    from unnest(p_row_item, p_row_no, p_row_article, p_row_description, p_row_quantity,
        p_row_unit_price, p_row_vat_rate, p_row_account, p_row_net, p_row_vat)
      as r (item, row_no, article, description, quantity, unit_price, vat_rate, account, net, vat)
    where v_outcome[r.item] = 'created';
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
    response := v_stored[i].response;
    first_request_id := v_stored[i].request_id;
    first_seen_at := v_stored[i].created_at;
    first_request := case outcome when 'idempotency_conflict' then v_stored[i].request end;
    if v_error[i] is not null then
      outcome := 'not_bookable';
      detail := jsonb_build_object('error', v_error[i], 'detail', detail,
        'invoice_id', case when not p_dry_run then p_id[i] end);
      response := detail::text;
    elsif outcome = 'created' then
      select row_to_json(r)::text into response
      from (select p_id[i] as id, v_status[i] as status,
          v_number[i] as invoice_number, p_net[i] * 0.01 as net_amount, p_vat[i] * 0.01 as vat_amount,
          (p_net[i] + p_vat[i]) * 0.01 as total_amount, p_due_date[i] as due_date, v_ocr[i] as ocr) as r;
    elsif outcome = 'replayed' and v_stored[i].status <> 200 then
      outcome := 'replayed_refusal';
      detail := v_stored[i].response::jsonb;
    end if;
    if outcome in ('created', 'not_bookable') and not p_dry_run then
      insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request,
        request_id, status, response)
      values (v_key_id[i], c_route, p_idempotency_key[i], p_request_hash[i], p_request[i],
        p_request_id[i], case outcome when 'created' then 200 else 422 end, response);
    end if;
    return next;
  end loop;
end $$;

select sales.settle(array(select i.id from sales.invoices i
  where i.status = 'booked' and i.kind = 'invoice' and i.total_ore = 0 and i.open_ore = 0));
