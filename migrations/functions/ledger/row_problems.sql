-- Accounts and dimensions that are missing or inactive, by item, as {path, reason, …}; of a dimension of the
-- other kind also which (`kind`). The Swedish sentence is made where people are answered.
create or replace function ledger.row_problems(
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_cost_center uuid[],
  p_row_project uuid[]
) returns table (item integer, problems jsonb) language sql stable as $$
  select fault.item, jsonb_agg(fault.problem order by fault.row_no)
  from (
    select r.item, r.row_no, jsonb_build_object(
      'path', format('rows[%s].account', r.row_no - 1), 'account', r.account,
      'reason', case when a.number is null then 'unknown_account' else 'inactive_account' end) as problem
    from unnest(p_row_item, p_row_no, p_row_account) as r (item, row_no, account)
    left join ledger.accounts a on a.number = r.account
    where a.is_active is not true
    union all
    select r.item, r.row_no, jsonb_strip_nulls(jsonb_build_object(
      'path', format('rows[%s].%s', r.row_no - 1, r.kind), 'dimension', r.id, 'kind', nullif(d.kind, r.kind),
      'reason', case when d.kind = r.kind then 'inactive_dimension' else 'unknown_dimension' end))
    from (
      select c.item, c.row_no, 'cost_center' as kind, c.id
      from unnest(p_row_item, p_row_no, p_row_cost_center) as c (item, row_no, id)
      union all
      select p.item, p.row_no, 'project', p.id
      from unnest(p_row_item, p_row_no, p_row_project) as p (item, row_no, id)) as r
    left join ledger.dimensions d on d.id = r.id
    where r.id is not null and (d.is_active is not true or d.kind <> r.kind)
  ) as fault
  group by fault.item
$$;
