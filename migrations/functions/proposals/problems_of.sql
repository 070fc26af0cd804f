-- What would stop a proposal today, as it would be told when somebody approves it: {error, detail} as
-- ledger.post_vouchers says it, null when nothing is seen. A person may still be told more.
create or replace function proposals.problems_of(p_kind text, p_payload jsonb, p_grounds jsonb) returns jsonb
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  c_kept constant jsonb := case p_kind when 'correction' then p_payload -> 'replacement' when 'voucher' then p_payload end;
  v_series text := p_payload ->> 'seriesCode';
  v_rows jsonb;
  v_faults jsonb := '[]';
  v_told record;
begin
  if p_kind = 'correction' then
    v_series := p_grounds -> ('voucher:' || (p_payload ->> 'voucherId')) ->> 'series';
  end if;
  for v_told in select split_part(g.key, ':', 1) as what, substr(g.key, strpos(g.key, ':') + 1) as which, g.value as facts
    from jsonb_each(p_grounds) g
  loop
    v_faults := v_faults || case
      when v_told.what = 'row' and jsonb_typeof(v_told.facts) = 'null' then
        jsonb_build_object('path', 'transactionId', 'reason', 'no_bank_transaction', 'id', v_told.which)
      when v_told.what = 'row' and v_told.facts ->> 'voucher' is not null then
        jsonb_build_object('path', 'transactionId', 'reason', 'already_matched')
      when v_told.what in ('voucher', 'invoice', 'purchase') and jsonb_typeof(v_told.facts) = 'null' then
        jsonb_build_object('path', v_told.what || 'Id', 'reason', 'proposal_needs', 'what', v_told.what)
      when v_told.what = 'voucher' and v_told.facts ->> 'corrected_by' is not null then
        jsonb_build_object('path', 'voucherId', 'reason', 'already_corrected', 'by', v_told.facts ->> 'corrected_by')
      when v_told.what in ('invoice', 'purchase') and coalesce((v_told.facts ->> 'open_ore')::bigint, 0) = 0 then
        jsonb_build_object('path', v_told.what || 'Id', 'reason', 'proposal_nothing_open', 'number', v_told.facts ->> 'number')
      when v_told.what = 'supplier' and jsonb_typeof(v_told.facts) = 'null' then
        jsonb_build_object('path', 'supplierId', 'reason', 'unknown_supplier')
      when v_told.what = 'supplier' and not (v_told.facts ->> 'is_active')::boolean then
        jsonb_build_object('path', 'supplierId', 'reason', 'inactive_supplier', 'name', v_told.facts ->> 'name')
      when v_told.what = 'number' and (v_told.facts ->> 'taken')::boolean then
        jsonb_build_object('path', 'invoiceNumber', 'reason', 'purchase_number_taken', 'number', v_told.which,
          'name', p_grounds -> ('supplier:' || (p_payload ->> 'supplierId')) ->> 'name')
      when v_told.what = 'document' and coalesce((v_told.facts ->> 'is_waiting')::boolean, false) is false then
        jsonb_build_object('path', 'documentIds', 'reason', 'proposal_document_filed', 'id', v_told.which)
      when v_told.what = 'account' and p_kind in ('match', 'purchase')
          and coalesce((v_told.facts ->> 'is_active')::boolean, false) is false then
        jsonb_build_object('path', 'account', 'reason', 'account_not_usable', 'account', v_told.which::integer)
      else '[]' end;
  end loop;
  if p_kind = 'invoice_draft' then
    select v_faults || coalesce(jsonb_agg(f), '[]') into v_faults
    from sales.draft_problems(array[(p_payload ->> 'customerId')::uuid],
      array(select 1 from jsonb_array_elements(p_payload -> 'rows')),
      array(select n::integer from jsonb_array_elements(p_payload -> 'rows') with ordinality as r (row, n) order by n),
      array(select (r.row ->> 'account')::integer from jsonb_array_elements(p_payload -> 'rows') with ordinality as r (row, n) order by n),
      array(select (r.row ->> 'vatRate')::integer from jsonb_array_elements(p_payload -> 'rows') with ordinality as r (row, n) order by n))
      as d
    cross join lateral jsonb_array_elements(d.problems) as f;
  end if;
  if v_faults <> '[]' then
    return jsonb_build_object('error', 'unprocessable', 'detail', jsonb_build_object('problems', v_faults));
  end if;
  if jsonb_typeof(c_kept) is distinct from 'object' then return null; end if;
  v_rows := c_kept -> 'rows';
  select j.error, j.detail into v_told
  from ledger.post_vouchers(array[gen_random_uuid()], array[v_series], array[(p_payload ->> 'date')::date],
    array[c_kept ->> 'description'], array[c_kept ->> 'counterparty'], array['app'], array['proposal'], array[null::uuid],
    array(select 1 from jsonb_array_elements(v_rows)),
    array(select n::integer from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n),
    array(select (r.row ->> 'account')::integer from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n),
    array(select round((r.row ->> 'debit')::numeric * 100)::bigint from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n),
    array(select round((r.row ->> 'credit')::numeric * 100)::bigint from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n),
    array(select r.row ->> 'note' from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n),
    array(select (r.row ->> 'cost_center')::uuid from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n),
    array(select (r.row ->> 'project')::uuid from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n),
    p_dry_run => true,
    p_row_vat_code => array(select r.row ->> 'vat_code' from jsonb_array_elements(v_rows) with ordinality as r (row, n) order by n)) as j;
  return case when v_told.error is not null then jsonb_build_object('error', v_told.error, 'detail', v_told.detail) end;
end $$;
