-- Vouchers of people, workers and commands: ledger.post_vouchers in the name of who is there. People give the
-- origins that their pages do; what an invoice or an order becomes is the invoice's to post, and workers post
-- what suppliers have sent alone.
create or replace function ledger.post(
  p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[],
  p_source text[], p_actor text, p_row_item integer[], p_row_no integer[], p_row_account integer[],
  p_row_debit bigint[], p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[],
  p_row_project uuid[], p_dry_run boolean default false,
  p_row_vat_code text[] default null
) returns table (item integer, number integer, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  if session_user = 'hb_app' and not p_source <@ array['app', 'bank', 'payment', 'reminder', 'reversal',
      'supplier_invoice', 'supplier_payment', 'purchase_by_hand', 'accrual_posting', 'vat', 'opening', 'closing', 'import']
    or session_user = 'hb_worker' and p_source <> array_fill('supplier_invoice'::text,
      array[cardinality(p_source)]) then
    raise exception 'this origin is not its to give' using errcode = 'HB405';
  end if;
  return query select j.item, j.number, j.error, j.detail
    from ledger.post_vouchers(p_id, p_series, p_date, p_description, p_counterparty, p_source,
      array_fill(audit.actor(p_actor), array[cardinality(p_id)]),
      array_fill(null::uuid, array[cardinality(p_id)]), p_row_item, p_row_no, p_row_account,
      p_row_debit, p_row_credit, p_row_note, p_row_cost_center, p_row_project,
      p_dry_run => p_dry_run, p_row_vat_code => p_row_vat_code) as j;
end $$;
