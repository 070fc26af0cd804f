-- What a proposal relies on, as it is now: `<what>:<which>` with the facts that decide whether it is still what was
-- proposed. Of what is not there, null. Compared when somebody approves it; what has moved is told by its name.
--   account:<number>  {name, is_active, vat_code, vat_box, vat_rate}      dimension:<id>  {name, is_active}
--   day:<date>        {lock, series}: the lock that stops it, and whether the year has the series
--   voucher:<id>      {label, series, corrected_by}            row:<id>        {date, amount_ore, text, account, voucher}
--   invoice:<id>      {number, who, status, open_ore}          purchase:<id>   {number, who, status, open_ore}
--   customer:<id>     {name, is_active, country_code, vat_number}
--   supplier:<id>     {name, is_active, payment_days, accounts: ["bankgiro 5050-1055"]}
--   number:<text>     {taken}: whether the supplier has an invoice of that number
--   document:<id>     {file_name, sha256, is_waiting}
create or replace function proposals.grounds_of(p_kind text, p_payload jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  c_rows constant jsonb := case p_kind when 'correction' then coalesce(p_payload #> '{replacement,rows}', '[]')
    when 'match' then '[]' else coalesce(p_payload -> 'rows', '[]') end;
  v_accounts integer[];
  v_dimensions uuid[];
  v_found jsonb := '{}';
  v_day date;
  v_series text;
  v_lock jsonb;
  v_row record;
begin
  select coalesce(array_agg(distinct (r ->> 'account')::integer), '{}') into v_accounts
  from jsonb_array_elements(case jsonb_typeof(c_rows) when 'array' then c_rows else '[]' end) as r
  where r ->> 'account' is not null;
  select coalesce(array_agg(distinct d.id::uuid), '{}') into v_dimensions
  from jsonb_array_elements(case jsonb_typeof(c_rows) when 'array' then c_rows else '[]' end) as r
  cross join lateral (values (r ->> 'cost_center'), (r ->> 'project'), (r ->> 'costCenter')) as d (id)
  where d.id is not null;
  if p_kind = 'match' then
    select t.booked_on, t.amount_ore, t.description, a.ledger_account, v.series || v.number as voucher into v_row
    from bank.transactions t join bank.accounts a on a.id = t.account_id left join ledger.vouchers v on v.id = t.voucher_id
    where t.id = (p_payload ->> 'transactionId')::uuid;
    v_found := v_found || jsonb_build_object('row:' || (p_payload ->> 'transactionId'), case when found then
      jsonb_build_object('date', v_row.booked_on, 'amount_ore', v_row.amount_ore, 'text', v_row.description,
        'account', v_row.ledger_account, 'voucher', v_row.voucher) end);
    v_day := v_row.booked_on;
    v_accounts := array_remove(v_accounts || v_row.ledger_account || (p_payload ->> 'account')::integer, null);
    v_series := case when p_payload ->> 'account' is not null then coalesce(p_payload ->> 'seriesCode', 'A')
      when p_payload ->> 'invoiceId' is not null then 'C' when p_payload ->> 'purchaseId' is not null then 'E' end;
    -- What another voucher has booked is only paired with it: no lock is asked.
    if p_payload ->> 'voucherId' is not null then v_day := null; end if;
    if p_payload ->> 'invoiceId' is not null then
      v_found := v_found || jsonb_build_object('invoice:' || (p_payload ->> 'invoiceId'), (
        select jsonb_build_object('number', i.number, 'who', i.debtor ->> 'name', 'status', i.status, 'open_ore', i.open_ore)
        from sales.invoices i where i.id = (p_payload ->> 'invoiceId')::uuid));
    end if;
    if p_payload ->> 'purchaseId' is not null then
      v_found := v_found || jsonb_build_object('purchase:' || (p_payload ->> 'purchaseId'), (
        select jsonb_build_object('number', i.invoice_number, 'who', coalesce(i.laid_out_by, i.seller ->> 'name'),
          'status', i.status, 'open_ore', i.open_ore)
        from purchases.invoices i where i.id = (p_payload ->> 'purchaseId')::uuid));
    end if;
  end if;
  if p_kind in ('match', 'correction') and p_payload ->> 'voucherId' is not null then
    v_found := v_found || jsonb_build_object('voucher:' || (p_payload ->> 'voucherId'), (
      select jsonb_build_object('label', v.series || v.number, 'series', v.series, 'corrected_by', (
          select r.series || r.number from ledger.corrections c join ledger.vouchers r on r.id = c.reversal_id
          where c.corrected_id = v.id))
      from ledger.vouchers v where v.id = (p_payload ->> 'voucherId')::uuid));
  end if;
  if p_kind in ('voucher', 'correction') then
    v_day := (p_payload ->> 'date')::date;
    v_series := coalesce(p_payload ->> 'seriesCode', (select v.series from ledger.vouchers v
      where v.id = (p_payload ->> 'voucherId')::uuid));
  end if;
  if p_kind = 'correction' then
    -- What is taken back is on these.
    v_accounts := v_accounts || array(select r.account from ledger.voucher_rows r
      where r.voucher_id = (p_payload ->> 'voucherId')::uuid);
  end if;
  if p_kind = 'invoice_draft' then
    v_found := v_found || jsonb_build_object('customer:' || (p_payload ->> 'customerId'), (
      select jsonb_build_object('name', c.name, 'is_active', c.is_active, 'country_code', c.country_code,
        'vat_number', c.vat_number)
      from sales.customers c where c.id = (p_payload ->> 'customerId')::uuid));
  end if;
  if p_kind = 'purchase' then
    v_found := v_found || jsonb_build_object('supplier:' || (p_payload ->> 'supplierId'), (
        select jsonb_build_object('name', s.name, 'is_active', s.is_active, 'payment_days', s.payment_days,
          'accounts', (select coalesce(jsonb_agg(a.kind || ' ' || a.number order by a.kind, a.number), '[]')
            from purchases.supplier_accounts a where a.supplier_id = s.id))
        from purchases.suppliers s where s.id = (p_payload ->> 'supplierId')::uuid))
      || jsonb_build_object('number:' || (p_payload ->> 'invoiceNumber'), jsonb_build_object('taken', exists (
        select from purchases.invoices i where i.supplier_id = (p_payload ->> 'supplierId')::uuid
          and lower(i.invoice_number) = lower(p_payload ->> 'invoiceNumber') and i.status <> 'rejected')));
  end if;
  if p_payload ->> 'documentIds' is not null then
    select v_found || coalesce(jsonb_object_agg('document:' || n.id, case when d.id is not null then jsonb_build_object(
      'file_name', d.file_name, 'sha256', encode(d.sha256, 'hex'), 'is_waiting', d.filed_at is null) end), '{}') into v_found
    from (select distinct id from jsonb_array_elements_text(p_payload -> 'documentIds') as n (id)) as n
    left join ledger.documents d on d.id = n.id::uuid;
  end if;
  select v_found || coalesce(jsonb_object_agg('account:' || n.number, case when a.number is not null then jsonb_build_object(
    'name', a.name, 'is_active', a.is_active, 'vat_code', a.vat_code, 'vat_box', a.vat_box, 'vat_rate', a.vat_rate) end), '{}')
  into v_found
  from (select distinct number from unnest(v_accounts) as n (number)) as n left join ledger.accounts a on a.number = n.number;
  select v_found || coalesce(jsonb_object_agg('dimension:' || n.id, case when d.id is not null then
    jsonb_build_object('name', d.code || ' ' || d.name, 'is_active', d.is_active) end), '{}')
  into v_found
  from unnest(v_dimensions) as n (id) left join ledger.dimensions d on d.id = n.id;
  if v_day is not null then
    v_lock := ledger.find_lock(v_day, ledger.touches_vat(v_accounts));
    v_found := v_found || jsonb_build_object('day:' || v_day, jsonb_build_object('lock', v_lock ->> 'lock',
      'series', exists (select from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
        where s.code = v_series and v_day between y.start_date and y.end_date)));
  end if;
  return v_found;
end $$;
