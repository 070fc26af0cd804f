-- What goes out of a list of the API: its name there, and the column that it is asked for by.
create or replace function events.note_removed() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id uuid := gen_random_uuid();
begin
  insert into events.removals (id, list, key) values (v_id, tg_argv[0], to_jsonb(old) ->> tg_argv[1]);
  insert into events.outbox (type, subject) values ('record.removed', v_id);
  return null;
end $$;
