-- POST /api/v1/banktransaktioner, first half: whether the call may go on, which account it is of, and what is known of
-- the days that it has rows on (api.take_bank_rows is the second). The account is held until commit, so that two who
-- bring the same rows bring them once. Whoever waits for it too long is told to come back.
--   outcome  null (go on) | account_unknown | as restricted.judge_calls; of one that is replayed, what was `told`
--   days     [{day, opening, closing, isFromStart, isToEnd}] of those days, and of the nearest before and after each
--   rows     [{day, amount, text, reference, servicerReference, balanceAfter, format}] of those days; amounts in öre, as
--            text
create or replace function api.look_at_bank_account(
  p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_ledger_account integer, p_iban text, p_days date[]
) returns table (outcome text, told jsonb, first_request_id uuid, first_seen_at timestamptz, first_request text,
  account_id uuid, name text, ledger_account integer, iban text, days jsonb, rows jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
#variable_conflict use_column
declare
  v_call record;
  v_account bank.accounts;
begin
  select * into strict v_call from restricted.judge_calls('POST /api/v1/banktransaktioner', array['bank:write'],
    array[p_hash], array[p_idempotency_key], array[p_request_hash]);
  outcome := v_call.outcome;
  told := (v_call.stored).told;
  first_request_id := (v_call.stored).request_id;
  first_seen_at := (v_call.stored).created_at;
  first_request := case outcome when 'idempotency_conflict' then (v_call.stored).request end;
  if outcome is null then
    select * into v_account from bank.accounts a
    where a.is_active and (a.ledger_account = p_ledger_account or a.iban = p_iban)
    order by a.ledger_account limit 1 for update;
    if not found then outcome := 'account_unknown'; end if;
  end if;
  if outcome is null then
    account_id := v_account.id;
    name := v_account.name;
    ledger_account := v_account.ledger_account;
    iban := v_account.iban;
    days := (select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'opening', d.opening_ore::text,
          'closing', d.closing_ore::text, 'isFromStart', d.is_from_start, 'isToEnd', d.is_to_end) order by d.day), '[]')
      from bank.days d where d.account_id = v_account.id and d.day in (
        select near.day from unnest(p_days) as u (day) cross join lateral (
          select u.day
          union all
          (select b.day from bank.days b where b.account_id = v_account.id and b.day < u.day
            order by b.day desc limit 1)
          union all
          (select b.day from bank.days b where b.account_id = v_account.id and b.day > u.day
            order by b.day limit 1)) as near));
    rows := (select coalesce(jsonb_agg(jsonb_build_object('day', t.booked_on,
          'amount', t.amount_ore::text, 'text', t.description, 'reference', t.bank_reference,
          'servicerReference', t.servicer_reference, 'balanceAfter', t.balance_after_ore::text, 'format', s.format)
          order by t.booked_on, t.id), '[]')
      from bank.transactions t left join bank.imported_statements s on s.id = t.statement_id
      where t.account_id = v_account.id and t.booked_on = any (p_days));
  end if;
  return next;
end $$;
