-- GET /api/stats/byra: counts, dates and names of conditions; no amounts, no names of anybody.
--   outcome  unauthorized (no such token, or expired) | no_access (the key is revoked) | granted
create or replace function agency.aggregate(p_token_hash bytea, p_today date, p_time_zone text)
returns table (outcome text, answer jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_token record;
begin
  select t.expires_at > now() as is_alive, k.revoked_at is not null as is_revoked into v_token
  from restricted.agency_tokens t join restricted.agency_keys k on k.id = t.key_id
  where t.hash = p_token_hash;
  outcome := case when v_token.is_alive is not true then 'unauthorized'
    when v_token.is_revoked then 'no_access' else 'granted' end;
  if outcome = 'granted' then
    answer := (select jsonb_build_object(
      'installation_schema_version', (select max(substr(name, 1, 4))::integer from migration.applied),
      'unbooked_count', (select count(*) from sales.invoices i where i.status = 'draft')
        + (select count(*) from purchases.invoices p where p.status in ('new', 'review'))
        + intake.count_stopped_orders('infinity'),
      'attachments_missing', ledger.count_attachments_missing(),
      'unmatched_bank', (select count(*) from bank.transactions t
        join bank.accounts b on b.id = t.account_id and b.kind = 'bank' where t.voucher_id is null),
      'last_verification', (select max(v.verification_date) from ledger.vouchers v),
      'period_locked_to', (select l.period_locked_to from ledger.locks l),
      'fiscal_years', (select jsonb_agg(jsonb_build_object('year', y.year, 'start', y.start_date,
        'end', y.end_date, 'status', y.status) order by y.start_date) from ledger.fiscal_years y),
      'vat', (select jsonb_build_object('period', c.vat_period,
        'largeTaxpayer', c.vat_large_taxpayer, 'yearly', c.vat_yearly, 'digital', c.vat_digital)
        from restricted.company c),
      'last_closed_month', m.last_closed_month,
      'open_month', m.open_month,
      'open_month_failing', m.open_month_failing,
      'months_behind', m.months_behind)
    from ledger.month_ends_on(p_today, p_time_zone) m);
  end if;
  return next;
end $$;
