-- What a provider has said stays. What changes is which voucher books the payout, one that takes just that off the
-- clearing account and pays out nothing else, until it is taken back; and that a correction has taken the settlement back
-- (bank.follow_corrections).
create or replace function bank.guard_provider_settlement() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE'
    or to_jsonb(new) - 'payout_voucher_id' - 'taken_back_by' <> to_jsonb(old) - 'payout_voucher_id' - 'taken_back_by'
    or new.taken_back_by is distinct from old.taken_back_by and not exists (
      select from ledger.corrections c where c.corrected_id = old.voucher_id and c.reversal_id = new.taken_back_by) then
    raise exception 'settlement % stays what the provider said', old.id
      using errcode = 'HB001', constraint = 'bank_is_immutable';
  end if;
  if new.payout_voucher_id is null and old.payout_voucher_id is not null and new.taken_back_by is null
    and not exists (select from ledger.corrections c where c.corrected_id = old.payout_voucher_id)
    and not exists (select from bank.undone_bookings u where u.voucher_id = old.payout_voucher_id) then
    raise exception 'the payout of settlement % is booked', new.id
      using errcode = 'HB002', constraint = 'settlements_are_paid_out';
  end if;
  if new.payout_voucher_id is not null and new.payout_voucher_id is distinct from old.payout_voucher_id and (
      old.payout_voucher_id is not null or old.taken_back_by is not null or old.payout_ore = 0
      or exists (select from ledger.corrections c where c.corrected_id = new.payout_voucher_id)
      or (select coalesce(sum(r.debit_ore - r.credit_ore), 0) from ledger.voucher_rows r
        where r.voucher_id = new.payout_voucher_id and r.account = new.account) <> -new.payout_ore) then
    raise exception 'voucher % is not the payout of settlement %', new.payout_voucher_id, new.id
      using errcode = 'HB002', constraint = 'settlements_are_paid_out';
  end if;
  return new;
end $$;
