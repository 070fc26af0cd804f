-- POST /api/v1/avrakning: judged, booked, and remembered as booked (bank.take_provider_settlement).
--   outcome  as that, or as restricted.judge_calls
create or replace function api.take_provider_settlement(
  p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_request text, p_request_id uuid,
  p_settlement jsonb, p_lines jsonb, p_rows jsonb
) returns table (outcome text, id uuid, voucher_id uuid, voucher text, is_known boolean, detail jsonb, first_request_id uuid,
  first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  c_route constant text := 'POST /api/v1/avrakning';
  v_call record;
begin
  -- As many as a call has (src/api/settlements/schemas.ts).
  if jsonb_array_length(p_lines) > 1000 or jsonb_array_length(p_rows) > 1000
    or octet_length(p_request) > 16777216 then
    raise exception 'the call brings more than a call does' using errcode = 'HB405';
  end if;
  select * into strict v_call from restricted.judge_calls(c_route, array['bank:write', 'ledger:write'], array[p_hash],
    array[p_idempotency_key], array[p_request_hash]);
  if v_call.outcome is not null then
    outcome := v_call.outcome;
    select s.id, s.voucher_id, v.series || v.number into id, voucher_id, voucher
    from bank.provider_settlements s join ledger.vouchers v on v.id = s.voucher_id
    where s.id = (v_call.stored).made;
    is_known := (v_call.stored).told ->> 'duplicate' = 'true';
    first_request_id := (v_call.stored).request_id;
    first_seen_at := (v_call.stored).created_at;
    first_request := case v_call.outcome when 'idempotency_conflict' then (v_call.stored).request end;
    return next;
    return;
  end if;
  select t.outcome, t.id, t.voucher_id, t.detail into outcome, id, voucher_id, detail
  from bank.take_provider_settlement('key:' || v_call.key_id, p_request_id, p_settlement, p_lines, p_rows) t;
  if outcome in ('posted', 'known') then
    voucher := (select v.series || v.number from ledger.vouchers v where v.id = voucher_id);
    is_known := outcome = 'known';
    insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request, request_id, made, told)
    values (restricted.first_key(v_call.key_id), c_route, p_idempotency_key, p_request_hash, p_request, p_request_id,
      id, jsonb_build_object('duplicate', is_known));
  end if;
  return next;
end $$;
