-- What was received is never changed, only judged (the bytes are held by their hash). What was rejected may
-- be judged again, and nothing else may.
create or replace function intake.freeze_received() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE' or (new.id, new.order_id, new.sha256, new.received_at, new.key_id,
      new.request_id) is distinct from (old.id, old.order_id, old.sha256, old.received_at,
      old.key_id, old.request_id) then
    raise exception 'what was received is never changed'
      using errcode = 'HB001', constraint = 'order_attempts_are_frozen';
  end if;
  if old.status <> 'received' and (old.status, new.status) <> ('rejected', 'received') then
    raise exception 'what was judged is not judged otherwise'
      using errcode = 'HB001', constraint = 'order_attempts_are_judged_once';
  end if;
  return new;
end $$;
