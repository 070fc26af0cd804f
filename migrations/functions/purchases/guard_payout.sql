-- What the bank is asked to pay stays; what becomes of it is written beside it. Whether the payee has another account than
-- the last time is the database's to say: a file that pays such a one waits for a second person, where there is one. Nothing
-- is added to a file that something has been said of, nor parts to such a payout (purchases.judge_payout_part).
create or replace function purchases.guard_payout() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_became constant text[] := array['accepted_at', 'refused_at', 'refusal', 'voucher_id'];
begin
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and to_jsonb(new) - c_became is distinct from to_jsonb(old) - c_became then
    raise exception 'a payout is kept' using errcode = 'HB001', constraint = 'payment_files_are_kept';
  end if;
  if tg_op = 'UPDATE' then
    return case when new is distinct from old then new end;
  end if;
  if not exists (select from purchases.payment_files f where f.id = new.file_id and f.xmin = pg_current_xact_id()::xid
      and num_nonnulls(f.approved_at, f.sent_at, f.cancelled_at) = 0) or num_nonnulls(new.accepted_at, new.refused_at, new.voucher_id) > 0 then
    raise exception 'a file is made whole' using errcode = 'HB001', constraint = 'payment_files_are_kept';
  end if;
  new.is_payee_changed := purchases.is_payee_changed(new);
  if new.is_payee_changed and purchases.people_who_pay() > 1 then
    update purchases.payment_files set needs_second_person = true where id = new.file_id and not needs_second_person;
  end if;
  return new;
end $$;
