-- Vouchers whose documents keys may read, and whose documents have changed: by one that came, or by what is held back. What
-- the same content documents too changes with it. Of what stays out of the reach of keys nothing is told.
create or replace function events.note_documents() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject)
  select 'documents.changed', v.id
  from (
    select c.voucher_id as id from changed c
    union
    select a.voucher_id from changed c
    join ledger.attachments own on own.voucher_id = c.voucher_id
    join ledger.attachments a on a.sha256 = own.sha256
  ) as v
  where tg_table_name = 'withheld_vouchers' or not ledger.is_closed_to_keys(v.id)
  order by v.id;
  return null;
end $$;
