-- ?dryRun=true of orders and e-invoices: what is to be tried goes to the workers, many at once. Nothing else is written.
--   outcome  stored | as restricted.intake_refusals
create or replace function api.store_trials(p_hash bytea[], p_id uuid[], p_kind text[], p_raw bytea[])
returns table (item integer, outcome text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_refusal text[];
  v_jobs jsonb[];
begin
  perform restricted.require_up_to_date();
  perform restricted.require_lists(cardinality(p_hash), array_dims(p_hash), array_dims(p_id), array_dims(p_kind),
    array_dims(p_raw));
  select array_agg(r.key_id order by r.item), array_agg(r.refusal order by r.item)
  into v_key_id, v_refusal from restricted.intake_refusals(p_hash) r;
  with added as (
    insert into intake.trials (id, kind, raw, key_id)
    select p_id[i], p_kind[i], p_raw[i], v_key_id[i] from generate_series(1, cardinality(p_id)) as i
    where v_refusal[i] is null
    returning id
  )
  select array_agg(jsonb_build_object('trialId', a.id)) into v_jobs from added a;
  if v_jobs is not null then perform intake.enqueue('intake-trial', v_jobs); end if;
  return query select i.item::integer, coalesce(i.refusal, 'stored')
    from unnest(v_refusal) with ordinality as i (refusal, item);
end $$;
