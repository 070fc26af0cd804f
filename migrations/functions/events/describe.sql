-- What an event tells; of a draft that has been deleted since, that there was one.
create or replace function events.describe(p_type text, p_subject uuid) returns jsonb
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case split_part(p_type, '.', 1)
    when 'voucher' then (
      select jsonb_build_object('id', v.id, 'series', v.series, 'number', v.number,
        'label', v.series || v.number, 'verification_date', v.verification_date, 'source', v.source)
      from ledger.vouchers v where v.id = p_subject)
    when 'invoice' then coalesce((
      select jsonb_build_object('invoice_id', i.id, 'kind', i.kind, 'source', i.source,
          'customer_id', i.customer_id, 'invoice_date', i.invoice_date, 'due_date', i.due_date,
          'total', trim_scale(i.total_ore / 100.0))
        || case when p_type = 'invoice.drafted' then '{}' else jsonb_build_object(
          'invoice_number', i.number, 'ocr', i.ocr, 'voucher_id', i.voucher_id) end
      from sales.invoices i where i.id = p_subject), jsonb_build_object('invoice_id', p_subject))
    when 'order' then (
      select jsonb_build_object('orderId', o.id, 'attemptId', a.id, 'externalId', o.external_id)
        || case when p_type = 'order.rejected' then jsonb_build_object('reason', a.reason)
          else '{}' end
      from intake.order_attempts a join intake.orders o on o.id = a.order_id where a.id = p_subject)
    when 'e_invoice' then (
      select jsonb_build_object('documentId', e.id, 'documentSha256', encode(e.sha256, 'hex'),
        'draftId', e.draft_id)
      from intake.e_invoices e where e.id = p_subject)
    when 'bank' then jsonb_build_object('importId', p_subject) || coalesce((
      select jsonb_build_object('statements', count(*), 'transactions', sum(s.added),
        'accountIds', jsonb_agg(distinct s.account_id), 'from', min(s.first_day), 'to', max(s.last_day))
      from bank.imported_statements s where s.import_id = p_subject having count(*) > 0), '{}')
    when 'payment' then jsonb_build_object('transactionId', p_subject) || coalesce((
      select jsonb_build_object('account', a.ledger_account, 'date', t.booked_on,
        'amount', trim_scale(t.amount_ore / 100.0), 'voucher', case when v.id is null then null
          else jsonb_build_object('id', v.id, 'label', v.series || v.number, 'source', v.source) end)
      from bank.transactions t join bank.accounts a on a.id = t.account_id
      left join ledger.vouchers v on v.id = t.voucher_id where t.id = p_subject), '{}')
    when 'payment_file' then jsonb_build_object('paymentFileId', p_subject) || coalesce((
      select jsonb_build_object('number', f.number, 'payments', count(*), 'total', trim_scale(sum(p.amount_ore) / 100.0),
        'from', min(p.execution_on), 'to', max(p.execution_on), 'sha256', encode(f.sha256, 'hex'),
        'needsApproval', f.needs_second_person)
      from purchases.payment_files f join purchases.payouts p on p.file_id = f.id
      where f.id = p_subject group by f.id), '{}')
    when 'record' then (
      select jsonb_build_object('list', r.list, 'id', r.key) from events.removals r where r.id = p_subject)
    when 'documents' then jsonb_build_object('voucher_id', p_subject)
    -- What is proposed is for people, and for the key that proposed it.
    when 'proposal' then (
      select jsonb_build_object('proposal_id', p.id, 'kind', p.kind, 'status', p.status,
        'expires_at', to_char(p.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'result', case when p.result_id is not null then jsonb_build_object('kind', p.result_kind, 'id', p.result_id) end)
      from proposals.proposals p where p.id = p_subject)
    else jsonb_build_object('id', p_subject) end
$$;
