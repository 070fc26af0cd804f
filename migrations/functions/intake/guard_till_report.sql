-- What a till has said stays. What changes is how it is judged: booked by the function that posts its voucher alone,
-- stopped, tried again, or put aside by a person; one whose voucher is taken back waits again.
create or replace function intake.guard_till_report() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE' or (new.id, new.identity, new.till, new.till_key, new.z_number, new.day, new.sha256, new.key_id,
      new.request_id, new.received_at) is distinct from (old.id, old.identity, old.till, old.till_key, old.z_number,
      old.day, old.sha256, old.key_id, old.request_id, old.received_at) then
    raise exception 'what a till has said is never changed'
      using errcode = 'HB001', constraint = 'till_reports_are_frozen';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (('received', 'posted'), ('received', 'empty'),
      ('received', 'stopped'), ('stopped', 'received'), ('stopped', 'dismissed'), ('dismissed', 'received'),
      ('posted', 'stopped'))
    -- By intake.book_till_report and intake.follow_till_corrections, which the owner runs.
    or current_user in ('hb_app', 'hb_worker') and (new.voucher_id is distinct from old.voucher_id
      or new.status <> old.status and (old.status = 'posted' or new.status in ('posted', 'empty'))) then
    raise exception 'a till''s report is not judged like this'
      using errcode = 'HB001', constraint = 'till_reports_are_judged';
  end if;
  return new;
end $$;
