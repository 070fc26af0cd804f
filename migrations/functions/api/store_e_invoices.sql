-- POST /api/inbound/peppol. A content that waits or is a draft is that one; one that was refused in
-- these very bytes is put up again; any other is kept as a new one. A p_reason is why the door refused it:
-- kept, once, but no job.
create or replace function api.store_e_invoices(p_hash bytea[], p_id uuid[], p_sha256 bytea[],
  p_raw bytea[], p_size bigint[], p_request_id uuid[], p_reason text[], p_detail jsonb[])
returns table (item integer, outcome text, id uuid, is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_refusal text[];
  v_jobs uuid[];
  v_lost uuid[];
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(cardinality(p_hash), array_dims(p_hash), array_dims(p_id),
    array_dims(p_sha256), array_dims(p_raw), array_dims(p_size), array_dims(p_request_id),
    array_dims(p_reason), array_dims(p_detail));
  lock table restricted.api_keys in row share mode;
  select array_agg(r.key_id order by r.item), array_agg(r.refusal order by r.item)
  into v_key_id, v_refusal from restricted.intake_refusals(p_hash) r;
  perform intake.hold_contents(p_sha256);

  -- Refused at the door: kept for a person to see, unless these bytes are here already.
  if num_nonnulls(variadic p_reason) > 0 then
    insert into intake.e_invoices (id, sha256, raw, size, key_id, request_id, status, reason, detail,
      decided_at)
    select distinct on (coalesce(i.sha256, uuid_send(i.id))) i.id, i.sha256, i.raw, i.size, i.key_id,
      i.request_id, 'rejected', i.reason, i.detail, now()
    from unnest(p_id, p_sha256, p_raw, p_size, v_key_id, p_request_id, p_reason, p_detail, v_refusal)
      with ordinality as i (id, sha256, raw, size, key_id, request_id, reason, detail, refusal, item)
    where i.refusal is null and i.reason is not null
      and not exists (select from intake.e_invoices e where e.sha256 = i.sha256 and e.raw = i.raw
        and e.status <> 'rejected')
      and not exists (select from intake.e_invoices e where e.sha256 = i.sha256 and e.raw = i.raw
        and e.status = 'rejected')
    order by coalesce(i.sha256, uuid_send(i.id)), i.item;
  end if;

  with sent as (
    select distinct on (i.sha256) i.sha256, e.id
    from unnest(p_sha256, p_raw, p_reason, v_refusal) with ordinality
      as i (sha256, raw, reason, refusal, item)
    join intake.e_invoices e on e.sha256 = i.sha256 and e.status = 'rejected' and e.raw = i.raw
    where i.refusal is null and i.reason is null
      and not exists (select from intake.e_invoices l where l.sha256 = i.sha256 and l.status <> 'rejected')
    order by i.sha256, i.item, e.received_at desc
  ), again as (
    update intake.e_invoices e set status = 'received', reason = null, detail = null, decided_at = null,
      queued_at = now()
    from sent s where e.id = s.id returning e.id
  )
  select array_agg(a.id) into v_jobs from again a;

  with added as (
    insert into intake.e_invoices as e (id, sha256, raw, size, key_id, request_id, status)
    select distinct on (i.sha256) i.id, i.sha256, i.raw, i.size, i.key_id, i.request_id, 'received'
    from unnest(p_id, p_sha256, p_raw, p_size, v_key_id, p_request_id, p_reason, v_refusal)
      with ordinality as i (id, sha256, raw, size, key_id, request_id, reason, refusal, item)
    where i.refusal is null and i.reason is null
    order by i.sha256, i.item
    on conflict (sha256) where status <> 'rejected' do nothing
    returning e.id
  )
  select coalesce(v_jobs, '{}') || coalesce(array_agg(a.id), '{}') into v_jobs from added a;

  -- A document that has waited this long has lost its job: sending it again gives it a new one. One that waits
  -- is undecided; asked for by its status it would be looked for among all that wait, many when the workers stand still.
  select coalesce(array_agg(distinct e.id), '{}') into v_lost
  from unnest(p_sha256, v_refusal) as i (sha256, refusal)
  join intake.e_invoices e on e.sha256 = i.sha256 and e.status <> 'rejected'
  where i.refusal is null and e.decided_at is null and e.queued_at < now() - interval '5 minutes';
  if cardinality(v_jobs || v_lost) > 0 then
    perform intake.enqueue('e-invoice-intake',
      (select array_agg(jsonb_build_object('documentId', j.id)) from unnest(v_jobs || v_lost) as j (id)));
  end if;

  -- New is what is to be judged because of this call; the same content beside it in the batch is not.
  return query
    select i.item::integer, coalesce(i.refusal, 'stored'), coalesce(e.id, i.id),
      coalesce(e.id = any (v_jobs) and row_number() over (partition by e.id, i.reason is null
        order by i.item) = 1, true)
    from unnest(v_refusal, p_id, p_sha256, p_raw, p_reason) with ordinality
      as i (refusal, id, sha256, raw, reason, item)
    -- By two indexes, one after the other: a condition that holds for both would read every document there is.
    cross join lateral (select coalesce(
      (select e.id from intake.e_invoices e
        where i.refusal is null and e.sha256 = i.sha256 and e.status <> 'rejected'),
      (select e.id from intake.e_invoices e
        where i.refusal is null and i.reason is not null and e.sha256 = i.sha256 and e.raw = i.raw
          and e.status = 'rejected' limit 1)) as id) as e
    order by 1;
end $$;
