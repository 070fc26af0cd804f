-- Rows with a VAT code of their own that no account has, by item, as ledger.row_problems. '' is none, and no problem.
create or replace function ledger.vat_code_problems(
  p_row_item integer[], p_row_no integer[], p_row_vat_code text[]
) returns table (item integer, problems jsonb) language sql stable as $$
  select r.item, jsonb_agg(jsonb_build_object('path', format('rows[%s].vat_code', r.row_no - 1),
    'reason', 'unknown_vat_code', 'vat_code', r.vat_code) order by r.row_no)
  from unnest(p_row_item, p_row_no, p_row_vat_code) as r (item, row_no, vat_code)
  where r.vat_code <> '' and not exists (select from ledger.accounts a where a.vat_code = r.vat_code)
  group by r.item
$$;
