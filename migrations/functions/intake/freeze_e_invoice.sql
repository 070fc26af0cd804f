-- What came stays as it came, and a draft stays that draft. A refusal may be lifted, to be judged anew. A
-- body that was no document may have a hash of its own, and gets that of its content then.
create or replace function intake.freeze_e_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE'
      or (new.id, new.size, new.received_at, new.key_id, new.request_id)
        is distinct from (old.id, old.size, old.received_at, old.key_id, old.request_id)
      or old.status = 'draft' or (old.status = 'rejected' and new.status <> 'received')
      or (new.sha256 is distinct from old.sha256
        and (old.status, old.reason) is distinct from ('rejected', 'unreadable_body')) then
    raise exception 'what was received is never changed'
      using errcode = 'HB001', constraint = 'e_invoices_are_frozen';
  end if;
  return new;
end $$;
