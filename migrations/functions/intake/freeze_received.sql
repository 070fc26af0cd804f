-- What was received is never changed, only judged (the bytes are held by their hash). What was rejected may
-- be judged again; a refund whose draft is gone waits for somebody; and nothing else may.
create or replace function intake.freeze_received() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE' or (new.id, new.order_id, new.sha256, new.received_at, new.key_id,
      new.request_id) is distinct from (old.id, old.order_id, old.sha256, old.received_at,
      old.key_id, old.request_id) then
    raise exception 'what was received is never changed'
      using errcode = 'HB001', constraint = 'order_attempts_are_frozen';
  end if;
  if old.status <> 'received' and (old.status, new.status) <> ('rejected', 'received')
    and not ((old.status, new.status, new.reason) = ('draft', 'rejected', 'refund_draft_removed')
      and exists (select from intake.orders o
        where o.id = old.order_id and o.kind = 'refund' and o.invoice_id is null)) then
    raise exception 'what was judged is not judged otherwise'
      using errcode = 'HB001', constraint = 'order_attempts_are_judged_once';
  end if;
  return new;
end $$;
