-- How trials have gone, for the calls that wait for them, which sent them: `trial` is what the worker says, null until it
-- has said it. What is told is gone.
create or replace function api.trial_outcomes(p_hash bytea[], p_id uuid[])
returns table (item integer, refusal text, trial jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select r.item, r.refusal, r.key_id, p_id[r.item] as id from restricted.intake_refusals(p_hash) r
    ), told as (
      delete from intake.trials t using asked a
      where a.refusal is null and t.id = a.id and t.key_id = a.key_id and t.outcome is not null
      returning t.id, t.outcome
    )
    select a.item::integer, a.refusal, t.outcome from asked a left join told t on t.id = a.id order by 1;
end $$;
