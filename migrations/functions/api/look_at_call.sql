-- Whether a call that a rule refuses (422) is refused before that for its Idempotency-Key (409), or for its key. A proposal's
-- is looked for among the proposals, which are kept for good.
--   outcome  null (nothing else refuses it) | as restricted.judge_calls
create or replace function api.look_at_call(p_route text, p_hash bytea, p_idempotency_key text, p_request_hash bytea)
returns table (outcome text, detail jsonb, first_request_id uuid, first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_call record;
begin
  select * into strict v_call from restricted.judge_calls(p_route, '{}', array[p_hash], array[p_idempotency_key],
    array[p_request_hash]);
  outcome := v_call.outcome;
  if outcome = 'idempotency_conflict' then
    first_request_id := (v_call.stored).request_id;
    first_seen_at := (v_call.stored).created_at;
    first_request := (v_call.stored).request;
  elsif outcome is null and p_route = 'POST /api/v1/forslag' then
    select 'idempotency_conflict', p.request_id, p.created_at, proposals.request_of(p)
    into outcome, first_request_id, first_seen_at, first_request
    from proposals.proposals p
    where p.caller_id = restricted.first_key(v_call.key_id) and p.idempotency_key = p_idempotency_key
      and p.request_hash <> p_request_hash;
  end if;
  return next;
end $$;
