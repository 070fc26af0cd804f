-- One row of a voucher as its content seals it: a JSON list of texts without spaces. Amounts are öre.
create or replace function ledger.row_content(
  p_account integer, p_debit bigint, p_credit bigint, p_vat_code text, p_note text, p_cost_center uuid,
  p_project uuid
) returns text language sql stable as $$
  select array_to_json(array[p_account::text, p_debit::text, p_credit::text, p_vat_code, p_note,
    p_cost_center::text, p_project::text])::text
$$;
