-- POST /api/v1/forslag/{id}/aterta: who proposed it takes it back while nobody has decided. Again, it stays taken back.
--   outcome  withdrawn | not_found | approved | rejected | expired | as restricted.judge_calls
create or replace function api.withdraw_proposal(p_hash bytea, p_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_call record;
  v_known proposals.proposals;
begin
  select * into strict v_call from restricted.judge_calls('POST /api/v1/forslag/aterta', array['proposals:write'],
    array[p_hash], array[null::text], array[''::bytea]);
  if v_call.outcome is not null then return v_call.outcome; end if;
  select * into v_known from proposals.proposals p
  where p.id = p_id and p.caller_id = restricted.first_key(v_call.key_id) for update;
  if not found then return 'not_found'; end if;
  if v_known.status <> 'open' then return v_known.status; end if;
  if v_known.expires_at <= now() then return 'expired'; end if;
  update proposals.proposals set status = 'withdrawn', decided_at = clock_timestamp(), decided_by = 'key:' || v_call.key_id
  where id = p_id;
  insert into audit.events (id, occurred_at, actor, action, subject, detail)
  values (gen_random_uuid(), clock_timestamp(), 'key:' || v_call.key_id, 'proposal.withdrawn', p_id::text,
    jsonb_build_object('kind', v_known.kind));
  return 'withdrawn';
end $$;
