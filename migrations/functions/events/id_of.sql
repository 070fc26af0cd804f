-- The same event has the same id wherever it is told, and no other has: made of what it is, not stored.
create or replace function events.id_of(p_event events.outbox) returns uuid
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select md5(concat_ws(' ', p_event.epoch, p_event.xid, p_event.seq, p_event.type, p_event.subject))::uuid
$$;
