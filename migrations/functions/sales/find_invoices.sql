-- Invoices by what a person remembers of them: number, OCR, organization number, or how the name begins
-- (any part of it for customers in the register). At most so many, in no order. As its owner, because
-- under row level security no search by name may use an index: its operators are not leakproof.
create or replace function sales.find_invoices(p_text text, p_limit integer) returns setof uuid
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off as $$
  with asked as (
    select lower(p_text) as name, lower(p_text) || chr(1114111) as name_end,
      case when p_text ~ '^[0-9]{1,9}$' then p_text::integer end as number,
      case when p_text ~ '^[0-9]{3,11}$' then (p_text::bigint / 100)::integer end as number_in_ocr
    where app.may('read')
  )
  (select i.id from asked a join sales.invoices i on i.number = a.number)
  union
  (select i.id from asked a join sales.invoices i on i.number = a.number_in_ocr and i.ocr = p_text)
  union
  (select i.id from asked a join sales.invoices i
    on lower(i.debtor ->> 'name') ~>=~ a.name and lower(i.debtor ->> 'name') ~<~ a.name_end
    limit p_limit)
  union
  (select i.id from asked a
    join sales.customers k on strpos(lower(k.name), a.name) > 0 or k.organization_number = p_text
    cross join lateral (select id from sales.invoices where customer_id = k.id
      order by invoice_date desc limit p_limit) as i
    limit p_limit)
  limit p_limit
$$;
