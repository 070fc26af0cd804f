-- Judges calls of a write route, in their order. No two of them share key and Idempotency-Key; if they
-- did, the primary key of the stored answers would stop them all. A dry run has no Idempotency-Key. Keys rotated
-- into each other are one caller's (restricted.first_key): a call begun with one is not done anew with the other.
--   outcome  null (go on) | unauthorized | key_revoked | insufficient_scope | idempotency_in_progress |
--            replayed | idempotency_conflict (`stored` is then the first call)
-- A call without a key is nobody's, not the one's before it. No program judges more than some hundreds at once; each holds
-- a lock, of which the server has some thousands for everybody.
create or replace function restricted.judge_calls(
  p_route text, p_scopes text[], p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[]
) returns table (item integer, key_id uuid, outcome text, stored restricted.idempotency)
language plpgsql set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_items constant integer := cardinality(p_hash);
  v_key restricted.api_keys;
  v_first uuid;
  v_refusal text;
  v_is_rotated boolean := false;
  v_call text;
  v_key_id uuid[] := array_fill(null::uuid, array[c_items]);
  v_first_id uuid[] := array_fill(null::uuid, array[c_items]);
  v_outcome text[] := array_fill(null::text, array[c_items]);
  v_before record;
  v_stored restricted.idempotency[];
  -- Of keys that were rotated: the one before may have sent the same in this very batch.
  v_let_on text[] := '{}';
begin
  perform restricted.require_up_to_date();
  if c_items > 1000 then
    raise exception 'a batch has a thousand calls at most' using errcode = '22023';
  end if;
  perform restricted.require_lists(c_items, array_dims(p_hash),
    array_dims(p_idempotency_key), array_dims(p_request_hash));
  -- A revocation waits for this transaction, or this one for it and then sees it: once a revocation has
  -- committed, nothing is written with the key. Shared row locks would not do: they are granted past
  -- one who waits, so under a steady load a revocation waited for ever (tried).
  lock table restricted.api_keys in row share mode;
  for i in 1..c_items loop
    if i = 1 or p_hash[i] is distinct from p_hash[i - 1] then
      select * into v_key from restricted.api_keys where hash = p_hash[i];
      v_first := restricted.first_key(v_key.id);
      v_is_rotated := v_is_rotated or v_first <> v_key.id or v_key.successor_id is not null;
      v_refusal := case
        when v_key.id is null or v_key.expires_at <= now() then 'unauthorized'
        when v_key.revoked_at is not null then 'key_revoked'
        when not v_key.scopes @> p_scopes then 'insufficient_scope' end;
    end if;
    v_key_id[i] := v_key.id;
    v_first_id[i] := v_first;
    -- A call whose key another transaction is processing is told so instead of waiting for it.
    v_outcome[i] := coalesce(v_refusal, case
      when not pg_try_advisory_xact_lock(hashtextextended(p_route || v_first || p_idempotency_key[i], 0))
        then 'idempotency_in_progress' end);
  end loop;

  -- Looked for when all are held, in one statement: one a call was a tenth of what a voucher cost.
  for v_before in
    select i, found.stored from generate_series(1, c_items) as i
    cross join lateral (select s as stored from restricted.idempotency s
      where s.key_id = v_first_id[i] and s.route = p_route and s.idempotency_key = p_idempotency_key[i]
      limit 1) as found
    where v_outcome[i] is null
  loop
    v_stored[v_before.i] := v_before.stored;
    v_outcome[v_before.i] := case when (v_before.stored).request_hash = p_request_hash[v_before.i]
      then 'replayed' else 'idempotency_conflict' end;
  end loop;

  for i in 1..c_items loop
    item := i;
    key_id := v_key_id[i];
    outcome := v_outcome[i];
    stored := v_stored[i];
    if v_is_rotated and outcome is null then
      v_call := v_first_id[i] || p_idempotency_key[i];
      if v_call = any (v_let_on) then
        outcome := 'idempotency_in_progress';
      else
        v_let_on := v_let_on || v_call;
      end if;
    end if;
    return next;
  end loop;
end $$;
