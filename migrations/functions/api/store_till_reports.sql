-- POST /api/inbound/dagskassa, many calls at once: bytes, hash and job in one commit. The same bytes are kept once.
--   p_till, p_z_number, p_day   as far as they can be read
--   is_known                    a report of that till and number, whatever its bytes, was received before
create or replace function api.store_till_reports(
  p_hash bytea[], p_identity text[], p_till text[], p_till_key text[], p_z_number bigint[], p_day date[],
  p_raw bytea[], p_sha256 bytea[], p_id uuid[], p_request_id uuid[]
) returns table (item integer, outcome text, is_known boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_outcome text[];
  v_known boolean[];
  v_new uuid[];
  v_asked uuid[];
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(cardinality(p_hash), array_dims(p_hash), array_dims(p_identity), array_dims(p_till),
    array_dims(p_till_key), array_dims(p_z_number), array_dims(p_day), array_dims(p_raw), array_dims(p_sha256),
    array_dims(p_id), array_dims(p_request_id));
  -- As for vouchers: nothing is taken in after the key's revocation has committed.
  lock table restricted.api_keys in row share mode;
  select array_agg(r.key_id order by r.item), array_agg(r.refusal order by r.item)
  into v_key_id, v_outcome from restricted.intake_refusals(p_hash) r;

  select array_agg(exists (select from intake.till_reports t where t.identity = i.identity)
    or i.item > (select min(o.item) from unnest(p_identity, v_outcome) with ordinality as o (identity, outcome, item)
      where o.identity = i.identity and o.outcome is null) order by i.item)
  into v_known
  from unnest(p_identity) with ordinality as i (identity, item);

  with added as (
    insert into intake.till_reports (id, identity, till, till_key, z_number, day, raw, sha256, key_id, request_id)
    select i.id, i.identity, i.till, i.till_key, i.z_number, i.day, i.raw, i.sha256, i.key_id, i.request_id
    from unnest(p_id, p_identity, p_till, p_till_key, p_z_number, p_day, p_raw, p_sha256, v_key_id, p_request_id, v_outcome)
      with ordinality as i (id, identity, till, till_key, z_number, day, raw, sha256, key_id, request_id, outcome, item)
    where i.outcome is null order by i.identity, i.sha256, i.item
    on conflict (identity, sha256) do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_new from added;
  -- One that has waited this long has lost its job (it lies in the dead letters): sent again it gets a new one.
  -- Judging it twice changes nothing.
  with asked as (
    update intake.till_reports t set asked_at = now()
    from (select distinct i.identity, i.sha256 from unnest(p_identity, p_sha256, v_outcome) as i (identity, sha256, outcome)
      where i.outcome is null) as i
    where t.identity = i.identity and t.sha256 = i.sha256 and t.status = 'received'
      and t.asked_at < now() - interval '5 minutes'
    returning t.id
  )
  select coalesce(array_agg(id), '{}') into v_asked from asked;
  if v_new || v_asked <> '{}' then
    perform intake.enqueue('till-report-intake',
      (select array_agg(jsonb_build_object('reportId', n.id)) from unnest(v_new || v_asked) as n (id)));
  end if;

  return query
    select i.item::integer, coalesce(i.outcome, 'stored'),
      case when i.outcome is null then i.known or not i.id = any (v_new) end
    from unnest(v_outcome, v_known, p_id) with ordinality as i (outcome, known, id, item);
end $$;
