-- Lists are held to their form, and a transaction to its time, whoever calls. A list that does not count from
-- one is read otherwise by its places than as rows: what was sealed, judged for a lock or given to a key would not
-- be what is written. In a transaction that reads what was committed before, a lock that has been set meanwhile is
-- not seen, nor that a key or a session has ended; and one that was begun long ago dates what it writes then.
-- Functions only.

-- Every list has a value, or NULL, for each of 1..p_length. Given as array_dims says it, so that it costs nothing.
create function restricted.require_lists(p_length integer, variadic p_dims text[]) returns void
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  if p_dims <> array_fill(case when p_length > 0 then '[1:' || p_length || ']' end,
      array[cardinality(p_dims)]) then
    raise exception 'lists of a batch are of one length and count from one' using errcode = '22023';
  end if;
end $$;

-- Whether the transaction sees what is committed now and began lately; our logins' last a minute or two.
create function restricted.is_up_to_date() returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select current_setting('transaction_isolation') = 'read committed'
    and clock_timestamp() < now() + interval '10 minutes'
$$;

-- The owner's commands may take their time.
create function restricted.require_up_to_date() returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if session_user <> current_user and not restricted.is_up_to_date() then
    raise exception 'this transaction is too old, or sees too old things, to write' using errcode = 'HB405';
  end if;
end $$;

-- As before (0070), in a transaction of now.
create or replace function app.current_role_name() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select u.role from restricted.sessions s join restricted.users u on u.id = s.user_id
      where s.hash = app.presented_session()
        and s.is_complete and restricted.is_up_to_date() and app.is_alive(s)
    and u.deactivated_at is null),
    (select 'agare' from restricted.setup_tokens t
      where t.hash = decode(nullif(current_setting('huvudbok.session', true), ''), 'hex')
        and t.created_at > now() - interval '24 hours'
        and (t.claimed_by = pg_current_xact_id_if_assigned()
          or not exists (select from restricted.users))))
$$;

create or replace function app.current_user_id() returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.user_id from restricted.sessions s join restricted.users u on u.id = s.user_id
  where s.hash = app.presented_session() and restricted.is_up_to_date() and app.is_alive(s)
    and u.deactivated_at is null
$$;

-- As before (0016), and a call without a key is nobody's, not the one's before it.
create or replace function restricted.judge_calls(
  p_route text, p_scopes text[], p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[]
) returns table (item integer, key_id uuid, outcome text, stored restricted.idempotency)
language plpgsql set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key restricted.api_keys;
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(cardinality(p_hash), array_dims(p_hash),
    array_dims(p_idempotency_key), array_dims(p_request_hash));
  -- A revocation waits for this transaction, or this one for it and then sees it: once a revocation has
  -- committed, nothing is written with the key. Shared row locks would not do: they are granted past
  -- one who waits, so under a steady load a revocation waited for ever (tried).
  lock table restricted.api_keys in row share mode;
  for i in 1..cardinality(p_hash) loop
    if i = 1 or p_hash[i] is distinct from p_hash[i - 1] then
      select * into v_key from restricted.api_keys where hash = p_hash[i];
    end if;
    item := i;
    key_id := v_key.id;
    stored := null;
    outcome := case
      when v_key.id is null or v_key.expires_at <= now() then 'unauthorized'
      when v_key.revoked_at is not null then 'key_revoked'
      when not v_key.scopes @> p_scopes then 'insufficient_scope'
      -- A call whose key another transaction is processing is told so instead of waiting for it.
      when not pg_try_advisory_xact_lock(
        hashtextextended(p_route || v_key.id || p_idempotency_key[i], 0)) then 'idempotency_in_progress'
      end;
    if outcome is null and p_idempotency_key[i] is not null then
      select * into stored from restricted.idempotency s
      where s.key_id = v_key.id and s.route = p_route and s.idempotency_key = p_idempotency_key[i];
      if found then
        outcome := case when stored.request_hash = p_request_hash[i]
          then 'replayed' else 'idempotency_conflict' end;
      end if;
    end if;
    return next;
  end loop;
end $$;

-- As before (0014).
create or replace function ledger.post_vouchers(
  p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[],
  p_source text[], p_actor text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[],
  p_skip boolean[] default null, p_dry_run boolean default false
) returns table (item integer, number integer, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_now constant timestamptz := now();
  c_items constant integer := cardinality(p_id);
  c_rows constant integer := cardinality(p_row_item);
  v_problems jsonb[] := array_fill(null::jsonb, array[c_items]);
  v_locks record;
  v_head record;
  -- The series in play, locked: where each stands and moves to.
  v_head_id uuid[] := '{}';
  v_head_code text[] := '{}';
  v_head_start date[] := '{}';
  v_head_end date[] := '{}';
  v_head_number integer[] := '{}';
  v_head_hash bytea[] := '{}';
  v_head_moved boolean[] := '{}';
  -- The vouchers to write, and each row's place.
  v_item integer[] := '{}';
  v_series_id uuid[] := '{}';
  v_number integer[] := '{}';
  v_row_count integer[] := '{}';
  v_total bigint[] := '{}';
  v_hash bytea[] := '{}';
  v_row_number integer[] := array_fill(null::integer, array[c_rows]);
  v_row_series_id uuid[] := array_fill(null::uuid, array[c_rows]);
  -- The sums kept beside the rows: revenue and costs of a voucher, and whether it is its own document.
  v_revenue bigint;
  v_cost bigint;
  v_revenue_item integer[] := '{}';
  v_revenue_ore bigint[] := '{}';
  v_cost_item integer[] := '{}';
  v_cost_ore bigint[] := '{}';
  v_own_item integer[] := '{}';
  v_item_series_id uuid[] := array_fill(null::uuid, array[c_items]);
  h integer;
  r integer := 1;
  v_first_row integer;
  v_rows text;
  v_debit bigint;
  v_touches_vat boolean;
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(c_items, array_dims(p_id), array_dims(p_series), array_dims(p_date),
    array_dims(p_description), array_dims(p_counterparty), array_dims(p_source), array_dims(p_actor),
    array_dims(p_request_id), coalesce(array_dims(p_skip), array_dims(p_id)));
  perform restricted.require_lists(c_rows, array_dims(p_row_item), array_dims(p_row_no),
    array_dims(p_row_account), array_dims(p_row_debit), array_dims(p_row_credit), array_dims(p_row_note),
    array_dims(p_row_cost_center), array_dims(p_row_project));
  -- Nearly always nothing is wrong and no row has a dimension: then this one look is all.
  if array_remove(p_row_cost_center, null) <> '{}' or array_remove(p_row_project, null) <> '{}'
    or exists (select from unnest(p_row_account) as r (account)
      where not exists (select from ledger.accounts a where a.number = r.account and a.is_active)) then
    for v_head in select p.item, p.problems from ledger.row_problems(
        p_row_item, p_row_no, p_row_account, p_row_cost_center, p_row_project) p
    loop
      v_problems[v_head.item] := v_head.problems;
    end loop;
  end if;

  -- Holding its series' row makes a voucher's number and hash its own until commit. Whoever sets a
  -- lock or closes a year locks the whole table, so what is read below stays true until commit.
  for v_head in
    select s.id, s.code, s.last_number, s.last_hash, y.start_date, y.end_date
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where s.code = any (p_series)
      and exists (select from unnest(p_date) as d (day) where d.day between y.start_date and y.end_date)
    order by s.id for update of s
  loop
    v_head_id := v_head_id || v_head.id;
    v_head_code := v_head_code || v_head.code;
    v_head_start := v_head_start || v_head.start_date;
    v_head_end := v_head_end || v_head.end_date;
    v_head_number := v_head_number || v_head.last_number;
    v_head_hash := v_head_hash || v_head.last_hash;
    v_head_moved := v_head_moved || false;
  end loop;
  select l.period_locked_to, l.vat_locked_to,
    (select array_agg(daterange(y.start_date, y.end_date, '[]')) from ledger.fiscal_years y
      where y.status = 'closed') as closed
  into v_locks from ledger.locks l;

  for i in 1..c_items loop
    item := i;
    number := null;
    error := null;
    detail := null;
    v_first_row := r;
    while r <= c_rows and p_row_item[r] = i loop r := r + 1; end loop;
    if p_skip[i] then
      return next;
      continue;
    end if;

    h := 1;
    while h <= cardinality(v_head_id) and not (v_head_code[h] = p_series[i]
        and p_date[i] between v_head_start[h] and v_head_end[h]) loop
      h := h + 1;
    end loop;
    if h > cardinality(v_head_id) then
      v_problems[i] := ledger.series_problem(p_series[i], p_date[i])
        || coalesce(v_problems[i], '[]'::jsonb);
    end if;
    if v_problems[i] is not null then
      error := 'unprocessable';
      detail := jsonb_build_object('problems', v_problems[i]);
      return next;
      continue;
    end if;

    if p_date[i] <= greatest(v_locks.period_locked_to, v_locks.vat_locked_to)
        or p_date[i] <@ any (v_locks.closed) then
      v_touches_vat := ledger.touches_vat(p_row_account[v_first_row:r - 1]);
      detail := ledger.find_lock(p_date[i], v_touches_vat);
      if detail is not null then
        error := 'period_locked';
        return next;
        continue;
      end if;
    end if;
    if p_dry_run then
      return next;
      continue;
    end if;

    number := v_head_number[h] + 1;
    v_rows := '';
    v_debit := 0;
    v_revenue := 0;
    v_cost := 0;
    for k in v_first_row..r - 1 loop
      v_rows := v_rows || case when k > v_first_row then ',' else '' end || ledger.row_content(
        p_row_no[k], p_row_account[k], p_row_debit[k], p_row_credit[k], p_row_note[k],
        p_row_cost_center[k], p_row_project[k]);
      v_debit := v_debit + p_row_debit[k];
      if p_row_account[k] between 3000 and 3999 then
        v_revenue := v_revenue + p_row_credit[k] - p_row_debit[k];
      elsif p_row_account[k] between 4000 and 7999 then
        v_cost := v_cost + p_row_debit[k] - p_row_credit[k];
      end if;
      v_row_number[k] := number;
      v_row_series_id[k] := v_head_id[h];
    end loop;
    v_head_number[h] := number;
    v_head_hash[h] := ledger.seal(v_head_hash[h], ledger.voucher_content(p_id[i], p_series[i], number,
      p_date[i], p_description[i], p_counterparty[i], p_source[i], c_now, p_actor[i], v_rows));
    v_head_moved[h] := true;
    v_item := v_item || i;
    v_series_id := v_series_id || v_head_id[h];
    v_number := v_number || number;
    v_row_count := v_row_count || (r - v_first_row);
    v_total := v_total || v_debit;
    v_hash := v_hash || v_head_hash[h];
    v_item_series_id[i] := v_head_id[h];
    if v_revenue <> 0 then
      v_revenue_item := v_revenue_item || i;
      v_revenue_ore := v_revenue_ore || v_revenue;
    end if;
    if v_cost <> 0 and p_counterparty[i] is not null then
      v_cost_item := v_cost_item || i;
      v_cost_ore := v_cost_ore || v_cost;
    end if;
    if ledger.has_own_document(p_source[i]) then
      v_own_item := v_own_item || i;
    end if;
    return next;
  end loop;
  if v_item = '{}' then return; end if;

  with voucher as (
    insert into ledger.vouchers (id, series_id, series, number, verification_date, description,
      counterparty, source, row_count, total_ore, posted_at, posted_by, request_id, hash)
    select p_id[v.item], v.series_id, p_series[v.item], v.number, p_date[v.item],
      p_description[v.item], p_counterparty[v.item], p_source[v.item], v.row_count, v.total, c_now,
      p_actor[v.item], p_request_id[v.item], v.hash
    from unnest(v_item, v_series_id, v_number, v_row_count, v_total, v_hash)
      as v (item, series_id, number, row_count, total, hash)
  )
  insert into ledger.voucher_rows (voucher_id, row_no, account, debit_ore, credit_ore, note,
    cost_center_id, project_id, verification_date, series, number)
  select p_id[v.item], v.row_no, v.account, v.debit, v.credit, v.note, v.cost_center, v.project,
    p_date[v.item], p_series[v.item], v.number
  from unnest(p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit, p_row_note,
      p_row_cost_center, p_row_project, v_row_number)
    as v (item, row_no, account, debit, credit, note, cost_center, project, number)
  where v.number is not null;

  with change as (
    select v.series_id, v.account, date_trunc('month', p_date[v.item])::date as month,
      sum(v.debit)::bigint as debit, sum(v.credit)::bigint as credit
    from unnest(p_row_item, p_row_account, p_row_debit, p_row_credit, v_row_series_id)
      as v (item, account, debit, credit, series_id)
    where v.series_id is not null
    group by 1, 2, 3
  ), total as (
    insert into ledger.month_totals as t (series_id, month, revenue_ore, costs_ore, goods_ore)
    select c.series_id, c.month,
      coalesce(sum(c.credit - c.debit) filter (where c.account < 4000), 0),
      coalesce(sum(c.debit - c.credit) filter (where c.account >= 4000), 0),
      coalesce(sum(c.debit - c.credit) filter (where c.account between 4000 and 4999), 0)
    from change c where c.account between 3000 and 7999
    group by 1, 2
    on conflict (series_id, month) do update set revenue_ore = t.revenue_ore + excluded.revenue_ore,
      costs_ore = t.costs_ore + excluded.costs_ore, goods_ore = t.goods_ore + excluded.goods_ore
  )
  insert into ledger.month_balances as b (series_id, account, month, debit_ore, credit_ore)
  select c.series_id, c.account, c.month, c.debit, c.credit from change c
  on conflict (series_id, account, month) do update set
    debit_ore = b.debit_ore + excluded.debit_ore, credit_ore = b.credit_ore + excluded.credit_ore;

  if v_revenue_item <> '{}' then
    insert into ledger.day_revenues as d (series_id, day, revenue_ore)
    select v_item_series_id[r.item], p_date[r.item], sum(r.ore)
    from unnest(v_revenue_item, v_revenue_ore) as r (item, ore)
    group by 1, 2 order by 2, 1
    on conflict (day, series_id) do update set revenue_ore = d.revenue_ore + excluded.revenue_ore;
  end if;
  if v_cost_item <> '{}' then
    with cost as (
      select p_counterparty[r.item] as counterparty, sum(r.ore) as ore
      from unnest(v_cost_item, v_cost_ore) as r (item, ore) group by 1
    ), free as (
      select f.counterparty, f.id, cost.ore
      from cost cross join lateral (select c.counterparty, c.id from ledger.supplier_costs c
        where c.counterparty = cost.counterparty limit 1 for no key update skip locked) as f
    ), added as (
      update ledger.supplier_costs c set cost_ore = c.cost_ore + free.ore
      from free where c.counterparty = free.counterparty and c.id = free.id
      returning c.counterparty
    )
    insert into ledger.supplier_costs (counterparty, cost_ore)
    select cost.counterparty, cost.ore from cost
    where not exists (select from added where added.counterparty = cost.counterparty);
  end if;
  if v_own_item <> '{}' then
    insert into ledger.documented_vouchers as d (series_id, month, own)
    select v_item_series_id[r.item], date_trunc('month', p_date[r.item])::date, count(*)
    from unnest(v_own_item) as r (item)
    group by 1, 2 order by 1, 2
    on conflict (series_id, month) do update set own = d.own + excluded.own;
  end if;

  insert into events.outbox (epoch, type, subject)
  select c.epoch, 'voucher.posted', p_id[v.item] from events.clock c, unnest(v_item) as v (item);

  for h in 1..cardinality(v_head_id) loop
    continue when not v_head_moved[h];
    update ledger.series s set last_number = v_head_number[h], last_hash = v_head_hash[h]
    where s.id = v_head_id[h];
  end loop;
end $$;

-- As before (0034).
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
  perform restricted.require_lists(c_items, array_dims(p_invoice_id), array_dims(p_voucher_id),
    array_dims(p_actor), array_dims(p_request_id));
  perform restricted.require_lists(c_rows, array_dims(p_row_item), array_dims(p_row_no),
    array_dims(p_row_account), array_dims(p_row_debit), array_dims(p_row_credit));
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
  end if;

  return query select u.item::integer, u.number, sales.ocr_for(u.number), u.status, u.error, u.detail
    from unnest(v_number, v_status, v_error, v_detail) with ordinality
      as u (number, status, error, detail, item);
end $$;

-- As before (0054).
create or replace function api.create_invoices(
  p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[],
  p_request_id uuid[], p_id uuid[], p_customer_id uuid[], p_invoice_date date[], p_delivery_date date[],
  p_due_date date[], p_payment_terms_days integer[], p_your_reference text[], p_notes text[], p_net bigint[],
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
  -- What has no key, customer or amount of its own is not made, and another's draft is not booked for it.
  perform restricted.require_lists(c_items, array_dims(p_hash), array_dims(p_id), array_dims(p_customer_id),
    array_dims(p_invoice_date), array_dims(p_delivery_date), array_dims(p_due_date),
    array_dims(p_payment_terms_days), array_dims(p_your_reference), array_dims(p_notes), array_dims(p_net),
    array_dims(p_vat), array_dims(p_book), array_dims(p_voucher_id), array_dims(p_request),
    array_dims(p_request_id));
  perform restricted.require_lists(cardinality(p_row_item), array_dims(p_row_item), array_dims(p_row_no),
    array_dims(p_row_article), array_dims(p_row_description), array_dims(p_row_quantity),
    array_dims(p_row_unit_price), array_dims(p_row_vat_rate), array_dims(p_row_account),
    array_dims(p_row_net), array_dims(p_row_vat));
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

-- As before (0006).
create or replace function api.store_orders(
  p_hash bytea[], p_identity text[], p_external_id text[], p_raw bytea[], p_sha256 bytea[],
  p_order_id uuid[], p_attempt_id uuid[], p_request_id uuid[]
) returns table (item integer, outcome text, order_id uuid, attempt_id uuid, is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_outcome text[];
  v_new uuid[];
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(cardinality(p_hash), array_dims(p_hash), array_dims(p_identity),
    array_dims(p_external_id), array_dims(p_raw), array_dims(p_sha256), array_dims(p_order_id),
    array_dims(p_attempt_id), array_dims(p_request_id));
  -- As for vouchers: nothing is taken in after the key's revocation has committed.
  lock table restricted.api_keys in row share mode;
  select array_agg(k.id order by i.item), array_agg(case
      when k.id is null or k.expires_at <= now() then 'unauthorized'
      when k.revoked_at is not null then 'key_revoked'
      when not 'intake:write' = any (k.scopes) then 'insufficient_scope' end order by i.item)
  into v_key_id, v_outcome
  from unnest(p_hash) with ordinality as i (hash, item)
  left join restricted.api_keys k on k.hash = i.hash;

  insert into intake.orders (id, identity, external_id)
  select distinct on (i.identity) i.id, i.identity, i.external_id
  from unnest(p_order_id, p_identity, p_external_id, v_outcome) with ordinality
    as i (id, identity, external_id, outcome, item)
  where i.outcome is null order by i.identity, i.item
  on conflict (identity) do nothing;

  insert into intake.order_senders (key_id, order_id)
  select distinct i.key_id, o.id
  from unnest(v_key_id, p_identity, v_outcome) as i (key_id, identity, outcome)
  cross join lateral (select id from intake.orders where identity = i.identity limit 1) as o
  where i.outcome is null order by 2, 1
  on conflict do nothing;

  with added as (
    insert into intake.order_attempts (id, order_id, raw, sha256, key_id, request_id)
    select i.id, o.id, i.raw, i.sha256, i.key_id, i.request_id
    from unnest(p_attempt_id, p_identity, p_raw, p_sha256, v_key_id, p_request_id, v_outcome)
      with ordinality as i (id, identity, raw, sha256, key_id, request_id, outcome, item)
    cross join lateral (select * from intake.orders where identity = i.identity limit 1) as o
    where i.outcome is null and o.invoice_id is null
    order by o.id, i.item
    on conflict (order_id, sha256) do nothing
    returning id
  )
  select array_agg(id) into v_new from added;
  -- An order that has waited this long has lost its job (it lies in the dead letters): sending the order
  -- again gives it a new one. Judging it twice changes nothing.
  select v_new || array_agg(distinct a.id) into v_new
  from unnest(p_identity, p_sha256, v_outcome) as i (identity, sha256, outcome)
  cross join lateral (select id from intake.orders where identity = i.identity limit 1) as o
  cross join lateral (select id from intake.order_attempts
    where order_id = o.id and sha256 = i.sha256 and status = 'received'
      and received_at < now() - interval '5 minutes' limit 1) as a
  where i.outcome is null;
  if v_new is not null then
    perform intake.enqueue('order-intake',
      (select array_agg(jsonb_build_object('attemptId', n.id)) from unnest(v_new) as n (id)));
  end if;

  return query
    select i.item::integer, coalesce(i.outcome, 'stored'), o.id, a.id, a.id = i.attempt_id
    from unnest(v_outcome, p_identity, p_sha256, p_attempt_id) with ordinality
      as i (outcome, identity, sha256, attempt_id, item)
    left join lateral (select * from intake.orders
      where i.outcome is null and identity = i.identity limit 1) as o on true
    left join lateral (select * from intake.order_attempts
      where order_id = o.id and sha256 = i.sha256 limit 1) as a on true;
end $$;

-- As before (0038).
create or replace function api.store_e_invoices(p_hash bytea[], p_id uuid[], p_sha256 bytea[],
  p_raw bytea[], p_size bigint[], p_request_id uuid[], p_reason text[], p_detail jsonb[])
returns table (item integer, outcome text, id uuid, is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_refusal text[];
  v_jobs uuid[];
  v_lost uuid[];
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(cardinality(p_hash), array_dims(p_hash), array_dims(p_id),
    array_dims(p_sha256), array_dims(p_raw), array_dims(p_size), array_dims(p_request_id),
    array_dims(p_reason), array_dims(p_detail));
  lock table restricted.api_keys in row share mode;
  select array_agg(r.key_id order by r.item), array_agg(r.refusal order by r.item)
  into v_key_id, v_refusal from restricted.intake_refusals(p_hash) r;
  perform intake.hold_contents(p_sha256);

  -- Refused at the door: kept for a person to see, unless these bytes are here already.
  insert into intake.e_invoices (id, sha256, raw, size, key_id, request_id, status, reason, detail,
    decided_at)
  select distinct on (coalesce(i.sha256, uuid_send(i.id))) i.id, i.sha256, i.raw, i.size, i.key_id,
    i.request_id, 'rejected', i.reason, i.detail, now()
  from unnest(p_id, p_sha256, p_raw, p_size, v_key_id, p_request_id, p_reason, p_detail, v_refusal)
    with ordinality as i (id, sha256, raw, size, key_id, request_id, reason, detail, refusal, item)
  where i.refusal is null and i.reason is not null
    and not exists (select from intake.e_invoices e where e.sha256 = i.sha256 and e.raw = i.raw)
  order by coalesce(i.sha256, uuid_send(i.id)), i.item;

  with sent as (
    select distinct on (i.sha256) i.sha256, e.id
    from unnest(p_sha256, p_raw, p_reason, v_refusal) with ordinality
      as i (sha256, raw, reason, refusal, item)
    join intake.e_invoices e on e.sha256 = i.sha256 and e.status = 'rejected' and e.raw = i.raw
    where i.refusal is null and i.reason is null
      and not exists (select from intake.e_invoices l where l.sha256 = i.sha256 and l.status <> 'rejected')
    order by i.sha256, i.item, e.received_at desc
  ), again as (
    update intake.e_invoices e set status = 'received', reason = null, detail = null, decided_at = null,
      queued_at = now()
    from sent s where e.id = s.id returning e.id
  )
  select array_agg(a.id) into v_jobs from again a;

  with added as (
    insert into intake.e_invoices as e (id, sha256, raw, size, key_id, request_id, status)
    select distinct on (i.sha256) i.id, i.sha256, i.raw, i.size, i.key_id, i.request_id, 'received'
    from unnest(p_id, p_sha256, p_raw, p_size, v_key_id, p_request_id, p_reason, v_refusal)
      with ordinality as i (id, sha256, raw, size, key_id, request_id, reason, refusal, item)
    where i.refusal is null and i.reason is null
    order by i.sha256, i.item
    on conflict (sha256) where status <> 'rejected' do nothing
    returning e.id
  )
  select coalesce(v_jobs, '{}') || coalesce(array_agg(a.id), '{}') into v_jobs from added a;

  -- A document that has waited this long has lost its job: sending it again gives it a new one.
  select coalesce(array_agg(distinct e.id), '{}') into v_lost
  from unnest(p_sha256, v_refusal) as i (sha256, refusal)
  cross join lateral (select e.id from intake.e_invoices e where e.sha256 = i.sha256
    and e.status = 'received' and e.queued_at < now() - interval '5 minutes' limit 1) as e
  where i.refusal is null;
  if cardinality(v_jobs || v_lost) > 0 then
    perform intake.enqueue('e-invoice-intake',
      (select array_agg(jsonb_build_object('documentId', j.id)) from unnest(v_jobs || v_lost) as j (id)));
  end if;

  -- New is what is to be judged because of this call; the same content beside it in the batch is not.
  return query
    select i.item::integer, coalesce(i.refusal, 'stored'), coalesce(e.id, i.id),
      coalesce(e.id = any (v_jobs) and row_number() over (partition by e.id, i.reason is null
        order by i.item) = 1, true)
    from unnest(v_refusal, p_id, p_sha256, p_raw, p_reason) with ordinality
      as i (refusal, id, sha256, raw, reason, item)
    left join lateral (select e.id from intake.e_invoices e
      where i.refusal is null and e.sha256 = i.sha256
        and (e.status <> 'rejected' or (i.reason is not null and e.raw = i.raw))
      order by e.status = 'rejected' limit 1) as e on true
    order by 1;
end $$;
