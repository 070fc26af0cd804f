-- POST /api/v1/forslag: judged, and kept for people to decide on. Whoever may book books, and proposes nothing: a program
-- that can do both has nobody to ask. A proposal is sent once for good, however often its call is sent.
--   outcome  proposed | replayed (both with `id`) | unprocessable | period_locked (with `detail`) | scope_conflict |
--            too_many | as restricted.judge_calls
create or replace function api.propose(
  p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_request_id uuid, p_id uuid, p_kind text,
  p_payload jsonb, p_prose text
) returns table (outcome text, id uuid, detail jsonb, first_request_id uuid, first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  c_open_max constant integer := 500;
  c_days constant integer := 30;
  v_call record;
  v_caller uuid;
  v_known proposals.proposals;
  v_grounds jsonb;
  v_problems jsonb;
begin
  if p_idempotency_key is null then
    raise exception 'a proposal has a key of its own' using errcode = '22023';
  end if;
  select * into strict v_call from restricted.judge_calls('POST /api/v1/forslag',
    array['proposals:write', 'data:read'] || case p_kind when 'match' then array['bank:read'] else '{}' end,
    array[p_hash], array[p_idempotency_key], array[p_request_hash]);
  if v_call.outcome is null and exists (select from restricted.api_keys k
      where k.id = v_call.key_id and 'ledger:write' = any (k.scopes)) then
    v_call.outcome := 'scope_conflict';
  end if;
  if v_call.outcome is not null then
    outcome := v_call.outcome;
    return next;
    return;
  end if;
  v_caller := restricted.first_key(v_call.key_id);
  select * into v_known from proposals.proposals p
  where p.caller_id = v_caller and p.idempotency_key = p_idempotency_key;
  if found then
    outcome := case when v_known.request_hash = p_request_hash then 'replayed' else 'idempotency_conflict' end;
    id := v_known.id;
    first_request_id := v_known.request_id;
    first_seen_at := v_known.created_at;
    first_request := proposals.request_of(v_known);
    return next;
    return;
  end if;
  -- Nobody reads more than that, and people who look at them wait for as many.
  if (select count(*) from (select from proposals.proposals p
      where p.caller_id = v_caller and p.status = 'open' and p.expires_at > now() limit c_open_max) as open) = c_open_max then
    outcome := 'too_many';
    return next;
    return;
  end if;
  v_grounds := proposals.grounds_of(p_kind, p_payload);
  v_problems := proposals.problems_of(p_kind, p_payload, v_grounds);
  if v_problems is not null then
    outcome := v_problems ->> 'error';
    detail := v_problems -> 'detail';
    return next;
    return;
  end if;
  insert into proposals.proposals (id, kind, payload, prose, key_id, caller_id, idempotency_key, request_hash, request_id,
    grounds, grounds_hash, expires_at)
  values (p_id, p_kind, p_payload, p_prose, v_call.key_id, v_caller, p_idempotency_key, p_request_hash, p_request_id,
    v_grounds, proposals.hash_of(v_grounds), now() + make_interval(days => c_days));
  insert into audit.events (id, occurred_at, actor, action, subject, detail)
  values (gen_random_uuid(), clock_timestamp(), 'key:' || v_call.key_id, 'proposal.made', p_id::text,
    jsonb_build_object('kind', p_kind));
  outcome := 'proposed';
  id := p_id;
  return next;
end $$;
