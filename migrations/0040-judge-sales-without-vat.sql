-- Sales without VAT are judged by who buys, and an order's debtor is filled from the customer register.
-- Two columns on invoices, added with constants; functions besides. No table is rewritten.

alter table sales.invoices
  -- Who has said that a sale which the buyer's facts speak against is without VAT all the same.
  add column vat_confirmed_by text,
  -- Which of an order's debtor's facts came from the customer register; the others are the order's own.
  add column debtor_filled text[] not null default '{}',
  add constraint invoices_only_orders_are_filled check (source = 'order' or debtor_filled = '{}');

-- Why a row may not stand on an account of this box of the VAT return (SKV 4700) for this buyer; null
-- when it may. An account outside the list is left to the one who chose it.
--   07          margin scheme: no VAT may be shown (ML 17 kap. 24 §)
--   35, 38      goods within the EU: a buyer registered for VAT in another EU country (ML 10 kap. 42 §)
--   39          services by the main rule: a business in another EU country (ML 6 kap. 34 §)
--   36, 40      outside the EU: a buyer who is in Sweden or the EU is a question, not a fault, as goods
--               may be sent elsewhere and some services belong where they are carried out
--   41          reverse charge in Sweden: a buyer registered for VAT here (ML 16 kap.)
-- An invoice where the buyer owes the VAT shows the buyer's VAT number (ML 17 kap. 24 §). That a number
-- is registered is for VIES to say. Northern Ireland (XI) is in the EU for goods, not for services; Åland
-- (AX) is outside. Countries and prefixes are those of src/domain/countries.ts; a test compares them.
create function sales.vat_doubt(
  p_box text, p_vat_rate integer, p_country text, p_vat_number text
) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case
    when p_box = '07' then case when p_vat_rate <> 0 then 'margin_vat_shown' end
    when p_vat_rate <> 0 then null
    when p_box = '41' and prefix is distinct from 'SE' then 'swedish_vat_number_missing'
    when p_box = '39' and own_prefix is null then 'buyer_not_in_other_eu_country'
    when p_box in ('35', '38', '39') and (prefix is null or prefix = 'SE'
      or (prefix = 'XI' and p_box <> '35')) then 'eu_vat_number_missing'
    when p_box in ('35', '38', '39') and prefix is distinct from own_prefix
      then 'vat_number_of_other_country'
    when p_box in ('36', '40') and (country = 'SE' or own_prefix is not null)
      then 'buyer_not_outside_eu' end
  from (select coalesce(p_country, 'SE') as country,
    substring(p_vat_number from '^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|'
      || 'PT|RO|SE|SI|SK|XI)[A-Z0-9+*]{2,12}$') as prefix) as buyer
  cross join lateral (select case
      when country = 'GR' then 'EL'
      when country = 'MC' then 'FR'
      when country = 'XI' or (country = 'GB' and prefix = 'XI')
        then case when p_box in ('35', '36') then 'XI' end
      when country in ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'HR', 'HU',
        'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SI', 'SK') then country end
      as own_prefix) as place
$$;

-- As before (0016), and whether the buyer may have a row on an account without VAT. The margin scheme's
-- accounts have a rate, and take rows that show none.
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
        when not coalesce(a.is_active and a.type = 'revenue', false) then jsonb_build_object(
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
    where (a.is_active and a.type = 'revenue' and d.doubt is null
      and r.vat_rate = case a.vat_box when '07' then 0 else coalesce(a.vat_rate, 0) end) is not true
  ) as fault
  group by fault.item
$$;

-- Whether `sales.draft_problems` can have anything to say of these rows: nearly always not, and then this
-- one look is all.
create function sales.rows_may_be_in_doubt(p_account integer[], p_vat_rate integer[]) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from unnest(p_account, p_vat_rate) as r (account, vat_rate)
    where not exists (select from ledger.accounts a where a.number = r.account and a.is_active
      and a.type = 'revenue' and r.vat_rate = coalesce(a.vat_rate, 0)
      and coalesce(a.vat_box, '') <> all ('{07,35,36,38,39,40,41}')))
$$;
