-- GET /api/v1/forslag: what the key has proposed, or a key that was rotated into it; nobody else's. The latest first.
--   moved  what has changed of that an open one relies on since it was proposed: names of its grounds
create or replace function api.list_proposals(p_id uuid, p_statuses text[], p_before uuid, p_limit integer)
returns table (id uuid, kind text, status text, payload jsonb, prose text, created_at timestamptz, expires_at timestamptz,
  decided_at timestamptz, reason text, result_kind text, result_id uuid, moved text[])
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_caller uuid;
begin
  perform api.require_key('proposals:write');
  select restricted.first_key(k.id) into v_caller from restricted.api_keys k
  where k.hash = decode(current_setting('huvudbok.credential', true), 'hex');
  return query
    select p.id, p.kind, s.status, p.payload, p.prose, p.created_at, p.expires_at, p.decided_at, p.reason, p.result_kind,
      p.result_id, case when s.status = 'open' then proposals.moved_of(p) else '{}' end
    from proposals.proposals p
    cross join lateral (select case when p.status = 'open' and p.expires_at <= now() then 'expired' else p.status end as status) s
    where p.caller_id = v_caller and (p_id is null or p.id = p_id)
      and (p_statuses is null or s.status = any (p_statuses)) and (p_before is null or p.id < p_before)
    order by p.id desc limit p_limit;
end $$;
