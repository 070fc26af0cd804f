-- An event as it is told: the same to those who ask and those who are told.
create or replace function events.body_of(p_id uuid, p_type text, p_occurred_at timestamptz, p_subject uuid)
returns jsonb language sql stable set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('id', p_id, 'type', p_type,
    'timestamp', to_char(p_occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'data', events.describe(p_type, p_subject))
$$;
