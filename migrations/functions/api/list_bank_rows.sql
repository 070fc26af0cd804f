-- GET /api/v1/banktransaktioner: rows of the bank by day, those of announcements (camt.054) with what they detail. All
-- that is null is not asked for.
--   payments       [{amount_ore, references, documents, texts, payer, payee, end_to_end_id, return_reason}], the first
--                  `p_payments` of `payment_count`; amounts in öre
create or replace function api.list_bank_rows(
  p_ledger_account integer, p_iban text, p_from date, p_to date, p_is_matched boolean, p_after_day date,
  p_after_id uuid, p_limit integer, p_payments integer, p_updated_since timestamptz
) returns table (id uuid, account integer, iban text, booked_on date, value_date date, amount_ore bigint,
  description text, bank_reference text, servicer_reference text, balance_after_ore bigint, voucher_id uuid,
  voucher text, matched_at timestamptz, created_at timestamptz, payment_count integer, payments jsonb,
  updated_at timestamptz)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  -- An account at most, by which the index of its own days serves.
  v_account uuid;
begin
  perform api.require_key('bank:read');
  if p_ledger_account is not null or p_iban is not null then
    select a.id into v_account from bank.accounts a
    where a.ledger_account = coalesce(p_ledger_account, a.ledger_account)
      and (p_iban is null or a.iban = p_iban);
    if not found then return; end if;
  end if;
  return query
    select t.id, a.ledger_account, a.iban, t.booked_on, t.value_date, t.amount_ore, t.description, t.bank_reference,
      t.servicer_reference, t.balance_after_ore, t.voucher_id, v.series || v.number, t.matched_at, t.created_at,
      p.payment_count::integer, p.payments, t.updated_at
    from (
      select t.* from bank.transactions t
      where (v_account is null or t.account_id = v_account)
        and (p_from is null or t.booked_on >= p_from) and (p_to is null or t.booked_on <= p_to)
        and (p_is_matched is null or (t.voucher_id is not null) = p_is_matched)
        and (p_updated_since is null or t.updated_at >= p_updated_since)
        and (p_after_day is null or (t.booked_on, t.id) > (p_after_day, p_after_id))
      order by t.booked_on, t.id limit p_limit
    ) t
    join bank.accounts a on a.id = t.account_id
    left join ledger.vouchers v on v.id = t.voucher_id
    cross join lateral (
      select count(*) as payment_count, coalesce(jsonb_agg(jsonb_build_object(
          'amount_ore', case when coalesce(d.currency, 'SEK') = 'SEK' then d.amount_ore end,
          'references', d.creditor_references, 'documents', d.documents, 'texts', d.texts, 'payer', d.debtor,
          'payee', d.creditor, 'end_to_end_id', d.end_to_end_id, 'return_reason', d.return_reason)
          order by d.nth) filter (where d.nth <= p_payments), '[]') as payments
      from (
        select d.*, row_number() over (order by d.announcement_id nulls first, d.place) as nth
        from (
          select o.* from bank.details o where o.transaction_id = t.id
          union all
          select o.* from bank.announcements n join bank.details o on o.announcement_id = n.id
          where n.transaction_id = t.id
        ) d
      ) d
    ) p
    order by t.booked_on, t.id;
end $$;
