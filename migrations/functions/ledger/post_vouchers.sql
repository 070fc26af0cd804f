-- The one way a voucher comes to be. Takes many vouchers at once as parallel arrays and judges each by
-- itself, so that a bad one never harms its neighbours: posts those that nothing stops and says of the
-- others why.
--   p_skip          items to leave alone (the caller has judged them already)
--   p_row_note, p_row_cost_center, p_row_project  null when no row has any
--   p_dry_run       judge and keep the series locked, but write nothing
--   p_row_vat_code  a row's own VAT code, or '' for none; where null, and for all when left out, the account's of now
-- Rows come ordered by item, each voucher's numbered from one. Answers every item: its number, or `error`
-- (unprocessable | period_locked) with `detail` in the contract's shape; all null for skipped ones.
--
-- Written as a loop between a few small statements: what a batch of one costs is the starting of
-- statements, and one large statement with a step per part starts eight times slower (measured: 2.3 ms of
-- processor time a call against 0.3). The sums that statistics read, and the count of documented vouchers,
-- are kept here, where the rows are at hand: the same in triggers cost a third of a batch of fifty
-- (measured: 4.0 ms became 7.1).
create or replace function ledger.post_vouchers(
  p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[],
  p_source text[], p_actor text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[],
  p_skip boolean[] default null, p_dry_run boolean default false, p_row_vat_code text[] default null
) returns table (item integer, number integer, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_now constant timestamptz := now();
  c_items constant integer := cardinality(p_id);
  c_rows constant integer := cardinality(p_row_item);
  c_format constant integer := 1;
  v_problems jsonb[] := array_fill(null::jsonb, array[c_items]);
  v_locks record;
  v_head record;
  -- The series in play, locked: where each stands and moves to.
  v_head_id uuid[] := '{}';
  v_head_at tid[] := '{}';
  v_head_code text[] := '{}';
  v_head_start date[] := '{}';
  v_head_end date[] := '{}';
  v_head_before integer[] := '{}';
  v_head_number integer[] := '{}';
  v_head_hash bytea[] := '{}';
  v_head_moved boolean[] := '{}';
  -- Of each voucher, what its rows come to, with the revenue and costs that sums are kept of.
  v_row_count integer[] := array_fill(0, array[c_items]);
  v_total bigint[] := array_fill(0::bigint, array[c_items]);
  v_revenues bigint[] := array_fill(0::bigint, array[c_items]);
  v_costs bigint[] := array_fill(0::bigint, array[c_items]);
  v_content_hash bytea[] := array_fill(null::bytea, array[c_items]);
  -- Of each that is posted, its place.
  v_series_id uuid[] := array_fill(null::uuid, array[c_items]);
  v_number integer[] := array_fill(null::integer, array[c_items]);
  v_month date[] := array_fill(null::date, array[c_items]);
  v_hash bytea[] := array_fill(null::bytea, array[c_items]);
  v_row_vat_code text[];
  v_has_revenue boolean := false;
  v_has_cost boolean := false;
  v_has_own boolean := false;
  h integer;
  r integer := 1;
  v_first_row integer;
  v_rows text;
  v_debit bigint;
  v_revenue bigint;
  v_cost bigint;
  v_are_active boolean;
  v_touches_vat boolean;
begin
  if p_dry_run is null then
    raise exception 'a batch is tried or posted' using errcode = '22004';
  end if;
  perform restricted.require_up_to_date();
  perform ledger.give_way_to_import();
  perform restricted.require_lists(c_items, array_dims(p_id), array_dims(p_series), array_dims(p_date),
    array_dims(p_description), array_dims(p_counterparty), array_dims(p_source), array_dims(p_actor),
    array_dims(p_request_id), coalesce(array_dims(p_skip), array_dims(p_id)));
  perform restricted.require_lists(c_rows, array_dims(p_row_item), array_dims(p_row_no),
    array_dims(p_row_account), array_dims(p_row_debit), array_dims(p_row_credit),
    coalesce(array_dims(p_row_note), array_dims(p_row_item)),
    coalesce(array_dims(p_row_cost_center), array_dims(p_row_item)),
    coalesce(array_dims(p_row_project), array_dims(p_row_item)),
    coalesce(array_dims(p_row_vat_code), array_dims(p_row_item)));
  -- A row's VAT code is what it says, or else its account's of now. Nearly always nothing is wrong and no
  -- row has a dimension: then this one look is all.
  select array_agg(nullif(coalesce(p_row_vat_code[r], a.vat_code), '') order by r), bool_and(a.is_active is true)
  into v_row_vat_code, v_are_active
  from generate_series(1, c_rows) as r
  left join lateral (select a.vat_code, a.is_active from ledger.accounts a
    where a.number = p_row_account[r] limit 1) as a on true;
  if not v_are_active or array_remove(p_row_cost_center, null) <> '{}'
    or array_remove(p_row_project, null) <> '{}' then
    for v_head in select p.item, p.problems from ledger.row_problems(
        p_row_item, p_row_no, p_row_account, p_row_cost_center, p_row_project) p
    loop
      v_problems[v_head.item] := v_head.problems;
    end loop;
  end if;
  -- What takes back, credits or pays copies what is posted, whatever the chart knows now.
  if p_row_vat_code is not null then
    for v_head in select p.item, p.problems from ledger.vat_code_problems(
        p_row_item, p_row_no, p_row_vat_code) p
      where p_source[p.item] not in ('reversal', 'invoice', 'payment')
    loop
      v_problems[v_head.item] := coalesce(v_problems[v_head.item], '[]') || v_head.problems;
    end loop;
  end if;
  -- Old books come as they were, and are corrected by their mirror.
  if 8910 = any (p_row_account) or 2512 = any (p_row_account) then
    for v_head in select p.item, p.problems from ledger.personal_tax_problems(
        p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit) p
      where p_source[p.item] not in ('reversal', 'import', 'opening')
    loop
      v_problems[v_head.item] := coalesce(v_problems[v_head.item], '[]') || v_head.problems;
    end loop;
  end if;

  -- All of a seal but its place is made before any series is held, since all others wait behind that.
  for i in 1..c_items loop
    exit when p_dry_run;
    v_first_row := r;
    v_rows := '';
    v_debit := 0;
    v_revenue := 0;
    v_cost := 0;
    while r <= c_rows and p_row_item[r] = i loop
      -- What is sealed is in the order of the numbers, so those are the rows' places.
      if p_row_no[r] is distinct from r - v_first_row + 1 then
        raise exception 'the rows of a voucher are numbered from one' using errcode = '22023';
      end if;
      v_rows := v_rows || case when r > v_first_row then ',' else '' end || ledger.row_content(
        p_row_account[r], p_row_debit[r], p_row_credit[r], v_row_vat_code[r], p_row_note[r],
        p_row_cost_center[r], p_row_project[r]);
      v_debit := v_debit + p_row_debit[r];
      if p_row_account[r] between 3000 and 3999 then
        v_revenue := v_revenue + p_row_credit[r] - p_row_debit[r];
      elsif p_row_account[r] between 4000 and 7999 then
        v_cost := v_cost + p_row_debit[r] - p_row_credit[r];
      end if;
      r := r + 1;
    end loop;
    continue when p_skip[i] or v_problems[i] is not null;
    v_row_count[i] := r - v_first_row;
    v_total[i] := v_debit;
    v_revenues[i] := v_revenue;
    v_costs[i] := v_cost;
    v_content_hash[i] := ledger.content_hash(ledger.voucher_content(c_format, p_id[i], p_series[i],
      p_date[i], p_description[i], p_counterparty[i], p_source[i], c_now, p_actor[i], v_rows));
  end loop;
  if r <= c_rows and not p_dry_run then
    raise exception 'the rows of a batch come in the order of its vouchers' using errcode = '22023';
  end if;

  -- Holding its series' row makes a voucher's number and hash its own until commit. Whoever sets a
  -- lock or closes a year locks the whole table, so what is read below stays true until commit.
  -- Where the row is does not change either: while somebody's transaction is open it has as many versions as there
  -- have been batches, and is looked for among them once.
  for v_head in
    select s.id, s.ctid as at, s.code, s.last_number, s.last_hash, y.start_date, y.end_date
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where s.code = any (p_series)
      and exists (select from unnest(p_date) as d (day) where d.day between y.start_date and y.end_date)
    order by s.id for update of s
  loop
    v_head_id := v_head_id || v_head.id;
    v_head_at := v_head_at || v_head.at;
    v_head_code := v_head_code || v_head.code;
    v_head_start := v_head_start || v_head.start_date;
    v_head_end := v_head_end || v_head.end_date;
    v_head_before := v_head_before || v_head.last_number;
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
      v_touches_vat := exists (
        select from unnest(p_row_item, p_row_account, v_row_vat_code) as r (item, account, vat_code)
        where r.item = i and (r.vat_code is not null or ledger.is_vat_account(r.account)));
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
    v_head_number[h] := number;
    v_head_hash[h] := ledger.seal(v_head_hash[h], number, v_content_hash[i]);
    v_head_moved[h] := true;
    v_series_id[i] := v_head_id[h];
    v_number[i] := number;
    v_month[i] := date_trunc('month', p_date[i]::timestamp);
    v_hash[i] := v_head_hash[h];
    v_has_revenue := v_has_revenue or v_revenues[i] <> 0;
    v_has_cost := v_has_cost or v_costs[i] <> 0 and p_counterparty[i] is not null;
    v_has_own := v_has_own or ledger.has_own_document(p_source[i]);
    return next;
  end loop;
  if not true = any (v_head_moved) then return; end if;

  with voucher as (
    insert into ledger.vouchers (id, series_id, series, number, verification_date, description,
      counterparty, source, row_count, total_ore, posted_at, posted_by, request_id, format, content_hash, hash)
    select p_id[i], v_series_id[i], p_series[i], v_number[i], p_date[i], p_description[i],
      p_counterparty[i], p_source[i], v_row_count[i], v_total[i], c_now, p_actor[i], p_request_id[i], c_format,
      v_content_hash[i], v_hash[i]
    from generate_series(1, c_items) as i where v_number[i] is not null
  )
  insert into ledger.voucher_rows (voucher_id, row_no, account, debit_ore, credit_ore, note,
    cost_center_id, project_id, vat_code, verification_date, series, number)
  select p_id[p_row_item[r]], p_row_no[r], p_row_account[r], p_row_debit[r], p_row_credit[r], p_row_note[r],
    p_row_cost_center[r], p_row_project[r], v_row_vat_code[r], p_date[p_row_item[r]], p_series[p_row_item[r]],
    v_number[p_row_item[r]]
  from generate_series(1, c_rows) as r where v_number[p_row_item[r]] is not null;

  with change as (
    select v_series_id[p_row_item[r]] as series_id, ledger.sum_part(v_number[p_row_item[r]]) as part,
      p_row_account[r] as account, v_month[p_row_item[r]] as month,
      coalesce(v_row_vat_code[r], '') as vat_code, ledger.stands_beside_vat(p_source[p_row_item[r]]) as is_beside_vat,
      sum(p_row_debit[r])::bigint as debit, sum(p_row_credit[r])::bigint as credit
    from generate_series(1, c_rows) as r where v_number[p_row_item[r]] is not null
    group by 1, 2, 3, 4, 5, 6
  ), total as (
    insert into ledger.month_totals as t (series_id, part, month, revenue_ore, costs_ore, goods_ore)
    select c.series_id, c.part, c.month,
      coalesce(sum(c.credit - c.debit) filter (where c.account < 4000), 0),
      coalesce(sum(c.debit - c.credit) filter (where c.account >= 4000), 0),
      coalesce(sum(c.debit - c.credit) filter (where c.account between 4000 and 4999), 0)
    from change c where c.account between 3000 and 7999
    group by 1, 2, 3
    on conflict (series_id, part, month) do update set revenue_ore = t.revenue_ore + excluded.revenue_ore,
      costs_ore = t.costs_ore + excluded.costs_ore, goods_ore = t.goods_ore + excluded.goods_ore
  )
  insert into ledger.month_balances as b (series_id, part, account, month, vat_code, is_beside_vat, debit_ore, credit_ore)
  select c.series_id, c.part, c.account, c.month, c.vat_code, c.is_beside_vat, c.debit, c.credit from change c
  on conflict (series_id, part, account, month, vat_code, is_beside_vat) do update set
    debit_ore = b.debit_ore + excluded.debit_ore, credit_ore = b.credit_ore + excluded.credit_ore;

  if v_has_revenue then
    insert into ledger.day_revenues as d (series_id, part, day, revenue_ore)
    select v_series_id[i], ledger.sum_part(v_number[i]), p_date[i], sum(v_revenues[i])
    from generate_series(1, c_items) as i where v_number[i] is not null and v_revenues[i] <> 0
    group by 1, 2, 3
    on conflict (series_id, part, day) do update set revenue_ore = d.revenue_ore + excluded.revenue_ore;
  end if;
  if v_has_cost then
    with cost as (
      select p_counterparty[i] as counterparty, sum(v_costs[i]) as ore
      from generate_series(1, c_items) as i
      where v_number[i] is not null and v_costs[i] <> 0 and p_counterparty[i] is not null
      group by 1
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
  if v_has_own then
    insert into ledger.documented_vouchers as d (series_id, month, own)
    select v_series_id[i], v_month[i], count(*)
    from generate_series(1, c_items) as i where v_number[i] is not null and ledger.has_own_document(p_source[i])
    group by 1, 2 order by 1, 2
    on conflict (series_id, month) do update set own = d.own + excluded.own;
  end if;

  insert into events.outbox (epoch, type, subject)
  select c.epoch, 'voucher.posted', p_id[i]
  from events.clock c, generate_series(1, c_items) as i where v_number[i] is not null;

  for h in 1..cardinality(v_head_id) loop
    continue when not v_head_moved[h];
    update ledger.series s set last_number = v_head_number[h], last_hash = v_head_hash[h]
    where s.ctid = v_head_at[h] and s.id = v_head_id[h];
    if not found then raise exception 'the series is not where it was'; end if;
    if ledger.sum_part(v_head_number[h]) > ledger.sum_part(v_head_before[h]) then
      perform ledger.fold_sums(v_head_id[h], ledger.sum_part(v_head_before[h]), ledger.sum_part(v_head_number[h]));
    end if;
  end loop;
end $$;
