-- The one way to write down what was done.
create or replace function audit.record(p_actor text, p_action text, p_subject text, p_detail jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into audit.events (id, occurred_at, actor, action, subject, detail)
  values (gen_random_uuid(), clock_timestamp(), audit.actor(p_actor), p_action, p_subject, p_detail)
$$;
