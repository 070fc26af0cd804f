-- GET /api/v1/avrakning: what providers have said of their payouts, by day. All that is null is not asked for.
--   lines  [{kind, amount_ore, account, reverse_charge_vat_ore, text, reference}]
create or replace function api.list_provider_settlements(
  p_provider text, p_number text, p_from date, p_to date, p_is_paid boolean, p_after_day date, p_after_id uuid,
  p_limit integer
) returns table (id uuid, provider text, number text, day date, account integer, payout_ore bigint,
  payout_reference text, country text, voucher_id uuid, voucher text, payout_voucher_id uuid, payout_voucher text,
  is_taken_back boolean, created_at timestamptz, lines jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('bank:read');
  return query
    select s.id, s.provider, s.number, s.day, s.account, s.payout_ore, s.payout_reference, s.country, s.voucher_id,
      v.series || v.number, s.payout_voucher_id, p.series || p.number, s.taken_back_by is not null, s.created_at,
      (select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'amount_ore', l.amount_ore, 'account', l.account,
          'reverse_charge_vat_ore', l.reverse_charge_vat_ore, 'text', l.text, 'reference', l.reference)
          order by l.place), '[]') from bank.provider_settlement_lines l where l.settlement_id = s.id)
    from bank.provider_settlements s
    join ledger.vouchers v on v.id = s.voucher_id
    left join ledger.vouchers p on p.id = s.payout_voucher_id
    where (p_provider is null or lower(s.provider) = lower(p_provider))
      and (p_number is null or lower(s.number) = lower(p_number))
      and (p_from is null or s.day >= p_from) and (p_to is null or s.day <= p_to)
      and (p_is_paid is null or (s.payout_voucher_id is not null or s.payout_ore = 0) = p_is_paid)
      and (p_after_day is null or (s.day, s.id) > (p_after_day, p_after_id))
    order by s.day, s.id limit p_limit;
end $$;
