-- As programs of before call api.post_received_vouchers: without what vouchers are called where they came from.
create or replace function api.post_vouchers(
  p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[],
  p_id uuid[], p_series text[], p_date date[], p_description text[],
  p_counterparty text[], p_source text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[],
  p_dry_run boolean, p_row_vat_code text[] default null
) returns table (item integer, outcome text, id uuid, number integer, detail jsonb,
  first_request_id uuid, first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query select * from api.post_received_vouchers(p_hash, p_idempotency_key, p_request_hash, p_request, p_id, p_series,
    p_date, p_description, p_counterparty, p_source, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit,
    p_row_credit, p_row_note, p_row_cost_center, p_row_project, null, p_dry_run, p_row_vat_code);
end $$;
