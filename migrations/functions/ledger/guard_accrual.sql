-- A plan stays as it was made. What is said of it is said once: that what remains is cancelled, by whom the database knows.
create or replace function ledger.guard_accrual() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE'
    -- The voucher that it began with may go with the books (ledger.begin_anew).
    or to_jsonb(new) - array['cancelled_at', 'cancelled_by', 'origin_voucher_id']
      <> to_jsonb(old) - array['cancelled_at', 'cancelled_by', 'origin_voucher_id']
    or old.cancelled_at is not null and (new.cancelled_at, new.cancelled_by) is distinct from (old.cancelled_at, old.cancelled_by)
    or new.origin_voucher_id is distinct from old.origin_voucher_id and new.origin_voucher_id is not null then
    raise exception 'accrual % stays as it was planned', old.id
      using errcode = 'HB001', constraint = 'accruals_are_kept';
  end if;
  if old.cancelled_at is null and new.cancelled_at is not null then
    new.cancelled_at := clock_timestamp();
    new.cancelled_by := audit.actor(new.cancelled_by);
  end if;
  return new;
end $$;
