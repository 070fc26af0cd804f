-- A file stays as it was made. What is said of it is said once, by whom the database knows: yes by another than who made
-- it; sent when that yes is there where it is needed; cancelled as long as no voucher books what it pays. An update that
-- says nothing leaves the row as it is: by the transaction that a row is of it is known as new (purchases.guard_payout).
create or replace function purchases.guard_payment_file() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_said constant text[] := array['needs_second_person', 'approved_at', 'approved_by', 'sent_at', 'sent_by',
    'cancelled_at', 'cancelled_by', 'cancel_reason'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a payment file is kept' using errcode = 'HB001', constraint = 'payment_files_are_kept';
  elsif tg_op = 'INSERT' then
    if num_nonnulls(new.approved_at, new.sent_at, new.cancelled_at) > 0 or new.needs_second_person then
      raise exception 'a new file has nothing said of it'
        using errcode = 'HB001', constraint = 'payment_files_are_kept';
    end if;
    return new;
  end if;
  if new is not distinct from old then return null; end if;
  if to_jsonb(new) - c_said is distinct from to_jsonb(old) - c_said
    or old.approved_at is not null and (new.approved_at, new.approved_by) is distinct from (old.approved_at, old.approved_by)
    or old.sent_at is not null and (new.sent_at, new.sent_by) is distinct from (old.sent_at, old.sent_by)
    or old.cancelled_at is not null and new is distinct from old
    or old.needs_second_person and not new.needs_second_person then
    raise exception 'a payment file is kept' using errcode = 'HB001', constraint = 'payment_files_are_kept';
  end if;
  if old.approved_at is null and new.approved_at is not null then
    new.approved_at := clock_timestamp();
    new.approved_by := audit.actor(new.approved_by);
    if new.approved_by = new.created_by then
      raise exception 'nobody approves a file of their own'
        using errcode = 'HB002', constraint = 'payment_files_approved_by_another';
    end if;
  end if;
  if old.sent_at is null and new.sent_at is not null then
    new.sent_at := clock_timestamp();
    new.sent_by := audit.actor(new.sent_by);
    if new.needs_second_person and new.approved_at is null then
      raise exception 'file % waits for a second person', new.number
        using errcode = 'HB002', constraint = 'payment_files_wait_for_yes';
    end if;
  end if;
  if old.cancelled_at is null and new.cancelled_at is not null then
    new.cancelled_at := clock_timestamp();
    new.cancelled_by := audit.actor(new.cancelled_by);
    if exists (select from purchases.payouts p where p.file_id = new.id and p.voucher_id is not null) then
      raise exception 'what the bank has paid is not cancelled'
        using errcode = 'HB002', constraint = 'payment_files_cancelled_unpaid';
    end if;
  end if;
  return new;
end $$;
