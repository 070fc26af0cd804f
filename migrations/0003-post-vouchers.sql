-- ledger.post_vouchers: the one way a voucher comes to be. Takes many vouchers at once as parallel
-- arrays and judges each by itself, so that a bad one never harms its neighbours.

-- What the hash of a voucher seals, as a JSON text that anyone can rebuild from the books. Amounts
-- are öre, the time is microseconds since 1970 UTC.
create function ledger.voucher_content(
  p_id uuid, p_series text, p_number integer, p_date date, p_description text, p_counterparty text,
  p_source text, p_posted_at timestamptz, p_posted_by text, p_rows json
) returns text language sql stable as $$
  select json_build_array(p_id, p_series, p_number, to_char(p_date, 'YYYY-MM-DD'), p_description,
    p_counterparty, p_source, (extract(epoch from p_posted_at) * 1000000)::bigint, p_posted_by,
    p_rows)::text
$$;

create function ledger.chain_step(p_state bytea, p_previous bytea, p_content text)
returns bytea language sql immutable parallel safe as $$
  select sha256(coalesce(p_state, p_previous) || convert_to(p_content, 'UTF8'))
$$;
-- As a window function over a series: each voucher's hash = sha256(hash before ‖ its content).
create aggregate ledger.chain(bytea, text) (sfunc = ledger.chain_step, stype = bytea);

create function ledger.first_hash(p_series_id uuid) returns bytea language sql immutable as $$
  select sha256(convert_to('huvudbok series ' || p_series_id, 'UTF8'))
$$;

-- The first day from p_from on which no lock stops a voucher.
create function ledger.earliest_open_date(p_from date, p_touches_vat boolean)
returns date language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  v_day date;
  v_end date;
begin
  select greatest(p_from, period_locked_to + 1, case when p_touches_vat then vat_locked_to + 1 end)
  into v_day from ledger.locks;
  loop
    select end_date into v_end from ledger.fiscal_years
    where status = 'closed' and v_day between start_date and end_date;
    if not found then return v_day; end if;
    v_day := v_end + 1;
  end loop;
end $$;

-- Faults in what a voucher refers to, by item: its date, series, accounts and dimensions. Says what
-- is wrong as {path, reason, …}; the Swedish sentence is made where people are answered.
create function ledger.reference_problems(
  p_series text[], p_date date[], p_row_item integer[], p_row_no integer[], p_row_account integer[],
  p_row_cost_center uuid[], p_row_project uuid[]
) returns table (item integer, problems jsonb) language sql stable as $$
  select fault.item, jsonb_agg(fault.problem order by fault.place)
  from (
    select i.item::integer as item, 0 as place,
      case when y.id is null
        then jsonb_build_object('path', 'date', 'reason', 'date_outside_fiscal_years', 'date', i.day)
        else jsonb_build_object('path', 'seriesCode', 'reason', 'unknown_series',
          'series', i.series, 'year', y.year) end as problem
    from unnest(p_series, p_date) with ordinality as i (series, day, item)
    left join ledger.fiscal_years y on i.day between y.start_date and y.end_date
    left join ledger.series s on s.fiscal_year_id = y.id and s.code = i.series
    where s.id is null
    union all
    select r.item, r.row_no, jsonb_build_object(
      'path', format('rows[%s].account', r.row_no - 1), 'account', r.account,
      'reason', case when a.number is null then 'unknown_account' else 'inactive_account' end)
    from unnest(p_row_item, p_row_no, p_row_account) as r (item, row_no, account)
    left join ledger.accounts a on a.number = r.account
    where a.is_active is not true
    union all
    select r.item, r.row_no, jsonb_build_object(
      'path', format('rows[%s].%s', r.row_no - 1, r.kind), 'dimension', r.id,
      'reason', case when d.id is null then 'unknown_dimension' else 'inactive_dimension' end)
    from (
      select c.item, c.row_no, 'cost_center' as kind, c.id
      from unnest(p_row_item, p_row_no, p_row_cost_center) as c (item, row_no, id)
      union all
      select p.item, p.row_no, 'project', p.id
      from unnest(p_row_item, p_row_no, p_row_project) as p (item, row_no, id)) as r
    left join ledger.dimensions d on d.id = r.id and d.kind = r.kind
    where r.id is not null and d.is_active is not true
  ) as fault
  group by fault.item
$$;

-- Posts the vouchers that nothing stops and says of the others why.
--   p_skip     items to leave alone (the caller has judged them already)
--   p_dry_run  judge and keep the series locked, but write nothing
-- Answers every item that is not skipped: its number, or `error` (unprocessable | period_locked)
-- with `detail` in the contract's shape.
create function ledger.post_vouchers(
  p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[],
  p_source text[], p_actor text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[],
  p_skip boolean[] default null, p_dry_run boolean default false
) returns table (item integer, number integer, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_error text[] := array_fill(null::text, array[cardinality(p_id)]);
  v_detail jsonb[] := array_fill(null::jsonb, array[cardinality(p_id)]);
  v_number integer[] := array_fill(null::integer, array[cardinality(p_id)]);
  v_series_id uuid[];
  v_locked boolean;
  v_found record;
begin
  for v_found in
    select p.item, p.problems from ledger.reference_problems(
      p_series, p_date, p_row_item, p_row_no, p_row_account, p_row_cost_center, p_row_project) p
  loop
    v_error[v_found.item] := 'unprocessable';
    v_detail[v_found.item] := jsonb_build_object('problems', v_found.problems);
  end loop;

  select array_agg(s.id order by i.item) into v_series_id
  from unnest(p_series, p_date, p_skip, v_error) with ordinality as i (series, day, skip, error, item)
  left join ledger.fiscal_years y on i.day between y.start_date and y.end_date
  left join ledger.series s on s.fiscal_year_id = y.id and s.code = i.series
    and i.skip is not true and i.error is null;

  -- Holding its series' row makes a voucher's number and hash its own until commit. Whoever sets a
  -- lock or closes a year locks the whole table, so what is read below stays true until commit.
  perform from ledger.series s where s.id = any (v_series_id) order by s.id for update;

  select exists (select from unnest(p_date) as d (day)
    where d.day <= (select greatest(period_locked_to, vat_locked_to) from ledger.locks)
      or exists (select from ledger.fiscal_years y
        where y.status = 'closed' and d.day between y.start_date and y.end_date))
  into v_locked;
  if v_locked then
    for v_found in
      select i.item, i.day, y.status, y.end_date, l.period_locked_to, l.vat_locked_to, vat.touched
      from unnest(p_date, v_series_id) with ordinality as i (day, series_id, item)
      join ledger.series s on s.id = i.series_id
      join ledger.fiscal_years y on y.id = s.fiscal_year_id
      cross join ledger.locks l
      cross join lateral (
        select exists (select from unnest(p_row_item, p_row_account) as r (item, account)
          join ledger.accounts a on a.number = r.account
          where r.item = i.item and a.vat_code is not null) as touched) as vat
      where y.status = 'closed' or i.day <= l.period_locked_to
        or (i.day <= l.vat_locked_to and vat.touched)
    loop
      v_error[v_found.item] := 'period_locked';
      v_detail[v_found.item] := jsonb_build_object(
        'lock', case when v_found.status = 'closed' then 'fiscal_year'
          when v_found.day <= v_found.period_locked_to then 'period' else 'vat' end,
        'locked_to', case when v_found.status = 'closed' then v_found.end_date
          when v_found.day <= v_found.period_locked_to then v_found.period_locked_to
          else v_found.vat_locked_to end,
        'earliest_allowed_date', ledger.earliest_open_date(v_found.day, v_found.touched));
      v_series_id[v_found.item] := null;
    end loop;
  end if;

  if not p_dry_run then
    with sealed as materialized (
      select v.*, s.last_number + (row_number() over w)::integer as number, now() as posted_at
      from unnest(p_id, p_series, p_date, p_description, p_counterparty, p_source, p_actor,
          p_request_id, v_series_id) with ordinality
        as v (id, series, day, description, counterparty, source, actor, request_id, series_id, item)
      join ledger.series s on s.id = v.series_id
      window w as (partition by v.series_id order by v.item)
    ), posted_row as materialized (
      select r.*, v.id as voucher_id, v.series_id, v.series, v.day, v.number
      from unnest(p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit, p_row_note,
          p_row_cost_center, p_row_project)
        as r (item, row_no, account, debit, credit, note, cost_center, project)
      join sealed v on v.item = r.item
    ), whole as (
      select r.item, count(*)::integer as row_count, sum(r.debit)::bigint as total,
        json_agg(json_build_array(r.row_no, r.account, r.debit, r.credit, r.note, r.cost_center,
          r.project) order by r.row_no) as rows
      from posted_row r group by r.item
    ), chained as (
      select v.*, w.row_count, w.total, ledger.chain(s.last_hash, ledger.voucher_content(
          v.id, v.series, v.number, v.day, v.description, v.counterparty, v.source, v.posted_at,
          v.actor, w.rows)) over (partition by v.series_id order by v.number) as hash
      from sealed v join ledger.series s on s.id = v.series_id join whole w on w.item = v.item
    ), voucher as (
      insert into ledger.vouchers (id, series_id, series, number, verification_date, description,
        counterparty, source, row_count, total_ore, posted_at, posted_by, request_id, hash)
      select id, series_id, series, number, day, description, counterparty, source, row_count, total,
        posted_at, actor, request_id, hash
      from chained order by series_id, number
      returning series_id, number, hash
    ), voucher_row as (
      insert into ledger.voucher_rows (voucher_id, row_no, account, debit_ore, credit_ore, note,
        cost_center_id, project_id, verification_date, series, number)
      select voucher_id, row_no, account, debit, credit, note, cost_center, project, day, series, number
      from posted_row order by item, row_no
    ), head as (
      update ledger.series s set last_number = last.number, last_hash = last.hash
      from (select distinct on (series_id) series_id, number, hash from voucher
        order by series_id, number desc) as last
      where s.id = last.series_id
    ), balance as (
      insert into ledger.month_balances as b (series_id, account, month, debit_ore, credit_ore)
      select series_id, account, date_trunc('month', day)::date, sum(debit), sum(credit)
      from posted_row group by 1, 2, 3 order by 1, 2, 3
      on conflict (series_id, account, month) do update set
        debit_ore = b.debit_ore + excluded.debit_ore, credit_ore = b.credit_ore + excluded.credit_ore
    )
    select array_agg(v.number order by i.item) into v_number
    from generate_subscripts(p_id, 1) as i (item) left join sealed v on v.item = i.item;
  end if;

  return query
    select i.item::integer, i.number, i.error, i.detail
    from unnest(v_number, v_error, v_detail, p_skip) with ordinality
      as i (number, error, detail, skip, item)
    where i.skip is not true;
end $$;
