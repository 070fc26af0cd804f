-- What hinders drafts, by item, as {path, reason, …}: a customer or account that is missing or not in use,
-- an account that nothing is sold on, a rate that is not the account's, a row on an account without VAT that the
-- buyer may not have. The margin scheme's accounts have a rate, and take rows that show none. Paths are the
-- request's.
create or replace function sales.draft_problems(
  p_customer_id uuid[], p_row_item integer[], p_row_no integer[], p_row_account integer[],
  p_row_vat_rate integer[]
) returns table (item integer, problems jsonb) language sql stable as $$
  select fault.item, jsonb_agg(fault.problem order by fault.row_no)
  from (
    select i.item::integer as item, 0 as row_no, jsonb_build_object('path', 'customerId', 'customer',
      i.id, 'reason', case when c.id is null then 'unknown_customer' else 'inactive_customer' end)
      as problem
    from unnest(p_customer_id) with ordinality as i (id, item)
    left join sales.customers c on c.id = i.id
    where c.is_active is not true
    union all
    select r.item, r.row_no, case
        when not coalesce(a.is_active and sales.is_sold_on(a.number, a.type), false) then jsonb_build_object(
          'path', format('rows[%s].account', r.row_no - 1), 'account', r.account,
          'reason', case when a.number is null then 'unknown_account'
            when not a.is_active then 'inactive_account' else 'not_a_revenue_account' end)
        when d.doubt is null then jsonb_build_object(
          'path', format('rows[%s].vatRate', r.row_no - 1), 'reason', 'vat_rate_conflict',
          'account', r.account, 'account_vat_rate', a.vat_rate, 'vat_rate', r.vat_rate)
        else jsonb_build_object(
          'path', format('rows[%s].%s', r.row_no - 1,
            case d.doubt when 'margin_vat_shown' then 'vatRate' else 'account' end),
          'reason', d.doubt, 'account', r.account, 'vat_box', a.vat_box,
          'buyer_country', c.country_code, 'buyer_vat_number', c.vat_number) end
    from unnest(p_row_item, p_row_no, p_row_account, p_row_vat_rate)
      as r (item, row_no, account, vat_rate)
    left join ledger.accounts a on a.number = r.account
    left join sales.customers c on c.id = p_customer_id[r.item]
    cross join lateral (select case when c.id is not null
      then sales.vat_doubt(a.vat_box, r.vat_rate, c.country_code, c.vat_number) end as doubt) as d
    -- An account outside VAT bears no VAT.
    where (a.is_active and sales.is_sold_on(a.number, a.type) and d.doubt is null
      and r.vat_rate = case a.vat_box when '07' then 0 else coalesce(a.vat_rate, 0) end) is not true
  ) as fault
  group by fault.item
$$;
