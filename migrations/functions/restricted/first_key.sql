-- The first of the keys that were rotated into this one; itself, when it replaced none. Whoever holds a key after a
-- rotation is the same caller as before: what they sent is known by the first one. (A key has one successor, so
-- going back comes round only to where it began.)
create or replace function restricted.first_key(p_id uuid) returns uuid
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  v_first uuid := p_id;
  v_before uuid;
begin
  loop
    select k.id into v_before from restricted.api_keys k where k.successor_id = v_first limit 1;
    exit when v_before is null or v_before = p_id;
    v_first := v_before;
  end loop;
  return v_first;
end $$;
