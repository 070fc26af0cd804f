-- Rows that add tax on the result (8910) or what is owed of it (2512) to the books of a sole trader, whose tax is the
-- owner's own, by item, as ledger.row_problems. What takes such tax away is no problem.
create or replace function ledger.personal_tax_problems(
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[]
) returns table (item integer, problems jsonb) language sql stable as $$
  select r.item, jsonb_agg(jsonb_build_object('path', format('rows[%s].account', r.row_no - 1),
    'reason', 'personal_tax', 'account', r.account) order by r.row_no)
  from unnest(p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit) as r (item, row_no, account, debit, credit)
  where (r.account = 8910 and r.debit > 0 or r.account = 2512 and r.credit > 0)
    -- A personal number's third digit begins a month; of other numbers it is 2 or more.
    and exists (select from restricted.company c where substr(c.organization_number, 3, 1) < '2')
  group by r.item
$$;
