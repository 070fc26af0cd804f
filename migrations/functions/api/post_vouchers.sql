-- POST /api/v1/verifikat, many calls at once: judged, posted, and remembered as posted. A key posts no voucher
-- as one of the application's own, whatever its process forgot to ask: the origin decides which boxes of the VAT
-- return a voucher counts in.
--   p_external_id  what each is called where it came from; null for all when none is called anything
--   outcome  posted | replayed (both with `id` and `number`; a dry run that would post has neither) |
--            unprocessable | period_locked (with `detail`, as ledger.post_vouchers) | as restricted.judge_calls
create or replace function api.post_vouchers(
  p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[],
  p_id uuid[], p_series text[], p_date date[], p_description text[],
  p_counterparty text[], p_source text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[],
  p_external_id text[], p_dry_run boolean, p_row_vat_code text[]
) returns table (item integer, outcome text, id uuid, number integer, detail jsonb,
  first_request_id uuid, first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_route constant text := 'POST /api/v1/verifikat';
  c_items constant integer := cardinality(p_id);
  -- As src/domain/voucher.ts has them.
  c_reserved constant text[] := array['invoice', 'payment', 'supplier_invoice', 'supplier_payment', 'order',
    'reminder', 'vat', 'closing', 'opening', 'reversal', 'bank', 'import', 'app',
    'purchase_by_hand', 'provider_settlement', 'till_report', 'accrual_posting'];
  v_key_id uuid[];
  v_actor text[];
  v_outcome text[];
  v_skip boolean[];
  v_stored restricted.idempotency[];
  v_number integer[];
  v_error text[];
  v_detail jsonb[];
  v_is_posted boolean[] := array_fill(false, array[c_items]);
begin
  perform restricted.require_lists(c_items, array_dims(p_id), coalesce(array_dims(p_external_id), array_dims(p_id)));
  -- One comparison says that all are the usual origin; only others are looked at.
  if p_source <> array_fill('api'::text, array[c_items]) and p_source && c_reserved then
    raise exception 'this origin is not a key''s to give' using errcode = 'HB405';
  end if;
  select array_agg(j.key_id), array_agg('key:' || j.key_id), array_agg(j.outcome),
    array_agg(j.outcome is not null), array_agg(j.stored)
  into v_key_id, v_actor, v_outcome, v_skip, v_stored
  from (select * from restricted.judge_calls(c_route, array['ledger:write', 'data:read'], p_hash,
    p_idempotency_key, p_request_hash) order by item) as j;
  select array_agg(p.number), array_agg(p.error), array_agg(p.detail)
  into v_number, v_error, v_detail
  from (select * from ledger.post_vouchers(p_id, p_series, p_date, p_description, p_counterparty, p_source,
    v_actor, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit, p_row_note,
    p_row_cost_center, p_row_project, v_skip, p_dry_run, p_row_vat_code) order by item) as p;

  for i in 1..c_items loop
    item := i;
    outcome := coalesce(v_outcome[i], v_error[i], 'posted');
    detail := v_detail[i];
    id := null;
    number := v_number[i];
    if outcome = 'posted' and not p_dry_run then
      id := p_id[i];
      v_is_posted[i] := true;
    end if;
    first_request_id := null;
    first_seen_at := null;
    first_request := null;
    if outcome in ('replayed', 'idempotency_conflict') then
      first_request_id := v_stored[i].request_id;
      first_seen_at := v_stored[i].created_at;
      first_request := case outcome when 'idempotency_conflict' then v_stored[i].request end;
    end if;
    if outcome = 'replayed' then
      -- The voucher says itself what was answered: nothing about it ever changes.
      select v.id, v.number into id, number from ledger.vouchers v where v.id = v_stored[i].made;
    end if;
    return next;
  end loop;

  if true = any (v_is_posted) then
    insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request, request_id, made)
    select k.first_id, c_route, p_idempotency_key[i], p_request_hash[i], p_request[i], p_request_id[i], p_id[i]
    from generate_series(1, c_items) as i join restricted.first_keys(v_key_id) k on k.key_id = v_key_id[i]
    where v_is_posted[i];
    if p_external_id is not null then
      insert into ledger.external_ids (voucher_id, external_id)
      select p_id[i], p_external_id[i] from generate_series(1, c_items) as i
      where v_is_posted[i] and p_external_id[i] is not null;
    end if;
  end if;
end $$;
