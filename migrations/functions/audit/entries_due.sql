-- What must have been written down of a change of a row: what was done, and of what. Of an added row p_old is
-- null, of a removed one p_new. A change of what is not named here is nobody's but the owner's (grants.sql).
create or replace function audit.entries_due(p_table text, p_old jsonb, p_new jsonb)
returns table (action text, subject text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with change (what) as (
    select 'added' where p_old is null
    union all
    select 'removed' where p_new is null
    union all
    select n.key from jsonb_each(p_new) n where p_old is not null and n.value is distinct from p_old -> n.key
  ), known (relation, what, action, subject) as (values
    ('users', 'added', 'user.created', p_new ->> 'id'),
    ('users', 'email', 'user.changed', p_new ->> 'id'),
    ('users', 'name', 'user.changed', p_new ->> 'id'),
    ('users', 'role', 'user.changed', p_new ->> 'id'),
    ('users', 'deactivated_at',
      case when p_new ->> 'deactivated_at' is null then 'user.reactivated' else 'user.deactivated' end,
      p_new ->> 'id'),
    ('api_keys', 'added', 'key.created', p_new ->> 'id'),
    ('api_keys', 'quota_per_hour', 'key.quota_changed', p_new ->> 'id'),
    ('api_keys', 'expires_at', 'key.rotated', p_new ->> 'id'),
    ('api_keys', 'successor_id', 'key.rotated', p_new ->> 'id'),
    ('api_keys', 'revoked_at', 'key.revoked', p_new ->> 'id'),
    ('api_keys', 'revoked_by', 'key.revoked', p_new ->> 'id'),
    ('agency_keys', 'added', 'agency.created', p_new ->> 'id'),
    ('agency_keys', 'revoked_at', 'agency.revoked', p_new ->> 'id'),
    ('agency_keys', 'revoked_by', 'agency.revoked', p_new ->> 'id'),
    ('endpoints', 'added', 'webhook.created', p_new ->> 'id'),
    ('endpoints', 'removed', 'webhook.deleted', p_old ->> 'id'),
    ('endpoints', 'sealed_secret', 'webhook.rotated', p_new ->> 'id'),
    ('endpoints', 'disabled_at',
      case when p_new ->> 'disabled_at' is null then 'webhook.enabled' else 'webhook.disabled' end,
      p_new ->> 'id'),
    ('fiscal_years', 'added', 'fiscal_year.created', p_new ->> 'year'),
    ('fiscal_years', 'status',
      case p_new ->> 'status' when 'closed' then 'fiscal_year.closed' else 'fiscal_year.reopened' end,
      p_new ->> 'year'),
    ('fiscal_years', 'closed_on',
      case p_new ->> 'status' when 'closed' then 'fiscal_year.closed' else 'fiscal_year.reopened' end,
      p_new ->> 'year'),
    ('locks', 'period_locked_to', 'lock.period', coalesce(p_new ->> 'period_locked_to', 'none')),
    ('locks', 'vat_locked_to', 'lock.vat', coalesce(p_new ->> 'vat_locked_to', 'none')),
    ('vat_filings', 'added', 'vat.filed', p_new ->> 'period_end'),
    ('vat_filings', 'removed', 'vat.withdrawn', p_old ->> 'period_end'),
    ('vat_settlements', 'added', 'vat.settled', p_new ->> 'period_end'),
    ('vat_returns', 'added', 'vat.filed', p_new ->> 'period_end'),
    ('vat_returns', 'withdrawn_at', 'vat.withdrawn', p_new ->> 'period_end'),
    ('vat_assignments', 'added', 'vat.assigned', p_new ->> 'voucher_id'),
    ('vat_assignments', 'removed', 'vat.unassigned', p_old ->> 'voucher_id'),
    ('settlement_judgements', 'added', 'vat.judged', p_new ->> 'voucher_id'),
    ('settlement_judgements', 'removed', 'vat.unjudged', p_old ->> 'voucher_id'),
    ('month_ends', 'added', 'month.acknowledged', p_new ->> 'month'),
    ('month_ends', 'removed', 'month.reopened', p_old ->> 'month'),
    ('accruals', 'added', 'accrual.added', p_new ->> 'id'),
    ('accruals', 'cancelled_at', 'accrual.cancelled', p_new ->> 'id'),
    ('accrual_postings', 'posting_date', 'accrual.moved', p_new ->> 'accrual_id'),
    ('proposals', 'status', 'proposal.' || (p_new ->> 'status'), p_new ->> 'id'),
    ('documents', 'added', 'document.received', p_new ->> 'id'),
    ('documents', 'document_date', 'document.described', p_new ->> 'id'),
    ('documents', 'amount_ore', 'document.described', p_new ->> 'id'),
    ('documents', 'counterparty', 'document.described', p_new ->> 'id'),
    ('documents', 'set_aside',
      case when p_new ->> 'set_aside' is null then 'document.taken_up' else 'document.set_aside' end,
      p_new ->> 'id'),
    ('withheld_vouchers', 'added', 'voucher.documents_withheld', p_new ->> 'voucher_id'),
    ('withheld_vouchers', 'removed', 'voucher.documents_released', p_old ->> 'voucher_id'),
    ('payment_files', 'added', 'payment_file.created', p_new ->> 'id'),
    ('payment_files', 'approved_at', 'payment_file.approved', p_new ->> 'id'),
    ('payment_files', 'sent_at', 'payment_file.sent', p_new ->> 'id'),
    ('payment_files', 'cancelled_at', 'payment_file.cancelled', p_new ->> 'id'),
    ('payouts', 'accepted_at', 'payment_file.answered', p_new ->> 'file_id'),
    ('payouts', 'refused_at', 'payment_file.answered', p_new ->> 'file_id'),
    ('imports', 'added', 'sie.imported', p_new ->> 'id'),
    ('imports', 'undone_at', 'sie.import_undone', p_new ->> 'id'),
    ('corrections', 'added', 'voucher.corrected', p_new ->> 'corrected_id'),
    ('reference_rates', 'added', 'reference_rate.added', p_new ->> 'valid_from'),
    ('reference_rates', 'valid_from', 'reference_rate.changed', p_old ->> 'valid_from'),
    ('reference_rates', 'valid_from', 'reference_rate.changed', p_new ->> 'valid_from'),
    ('reference_rates', 'valid_to', 'reference_rate.changed', p_new ->> 'valid_from'),
    ('reference_rates', 'percent_e2', 'reference_rate.changed', p_new ->> 'valid_from'),
    ('reference_rates', 'sfs', 'reference_rate.changed', p_new ->> 'valid_from'),
    ('company', 'added', 'company.created', p_new ->> 'id')
  ), setting (what, name) as (values
    ('name', 'company-name'),
    ('address', 'company-address'),
    ('postal_code', 'company-postal-code'),
    ('city', 'company-city'),
    ('seat', 'company-seat'),
    ('email', 'company-email'),
    ('phone', 'company-phone'),
    ('bankgiro', 'company-bankgiro'),
    ('plusgiro', 'company-plusgiro'),
    ('swish', 'company-swish'),
    ('tax_ocr', 'company-tax-ocr'),
    ('iban', 'company-iban'),
    ('is_approved_for_f_tax', 'company-f-tax'),
    ('partner_account', 'company-partner-account'),
    ('order_payment_terms_days', 'order-payment-terms'),
    ('order_booking_is_automatic', 'order-booking'),
    ('order_oss_is_on', 'order-oss'),
    ('collective_customer_id', 'order-collective-customer'),
    ('e_invoice_booking_is_automatic', 'e-invoice-booking'),
    ('bank_booking_is_automatic', 'bank-booking'),
    ('interest_is_stated', 'interest-stated'),
    ('reminder_fee_is_agreed', 'reminder-fees'),
    ('reminder_runs_are_on', 'reminder-runs'),
    ('reminder_runs_claim_fee', 'reminder-run-fees')
  )
  select k.action, k.subject
  from change c join known k using (what)
  where k.relation = p_table
    -- The rates that a company begins with are told of by its own entry.
    and not (p_table = 'reference_rates' and c.what = 'added'
      and exists (select from restricted.company o where o.created_at = now()))
  union
  -- Other settings are called as their columns are.
  select 'setting.changed', coalesce(s.name, replace(c.what, '_', '-'))
  from change c left join setting s using (what)
  where p_table = 'company' and c.what <> 'added'
$$;
