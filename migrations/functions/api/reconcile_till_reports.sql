-- POST /api/inbound/avstamning: what became of the till reports that this very key sent, or one that was rotated into it;
-- the latest body of each. Nobody hears what others have sent.
create or replace function api.reconcile_till_reports(p_identity text[])
returns table (identity text, status text, reason text, received_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_first uuid := restricted.sender();
begin
  return query
    select distinct on (t.identity) t.identity, t.status, t.reason, t.received_at
    from intake.till_reports t
    where t.identity = any (p_identity) and t.key_id is not null and restricted.first_key(t.key_id) = v_first
    -- What is booked speaks for the others.
    order by t.identity, t.status in ('posted', 'empty') desc, t.id desc;
end $$;
