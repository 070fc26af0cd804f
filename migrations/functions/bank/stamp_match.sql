-- Who matched a bank row with the voucher that it has now. A row that a person typed says that it was typed, so that
-- no row of the bank's can be made up (bank.guard_transaction).
create or replace function bank.stamp_match() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' and session_user = 'hb_app' and new.reference not like 'manuell-%' then
    raise exception 'people type no row of the bank'
      using errcode = 'HB002', constraint = 'transactions_are_the_banks';
  end if;
  -- What a row was booked together with is so for as long as that books it.
  if tg_op = 'UPDATE' and new.voucher_id is distinct from old.voucher_id and new.act_id is not distinct from old.act_id then
    new.act_id := null;
  end if;
  if new.voucher_id is null then
    return new;
  end if;
  if tg_op = 'UPDATE' and new.voucher_id is not distinct from old.voucher_id then
    new.matched_by := old.matched_by;
    new.matched_at := old.matched_at;
  else
    new.matched_by := audit.actor(new.matched_by);
    new.matched_at := clock_timestamp();
  end if;
  return new;
end $$;
