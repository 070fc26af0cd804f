-- A planned posting is posted once, by a voucher of just its day, accounts and amount. Until then a person may say
-- another day, or cancel it; what is posted stays.
create or replace function ledger.guard_accrual_posting() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if old.voucher_id is not null then
    raise exception 'posting % of accrual % is posted', old.place, old.accrual_id
      using errcode = 'HB001', constraint = 'accrual_postings_are_kept';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if (new.accrual_id, new.place, new.part, new.result_ore) <> (old.accrual_id, old.place, old.part, old.result_ore)
    or new.voucher_id is not null and not exists (
      select from ledger.vouchers v join ledger.accruals a on a.id = new.accrual_id
      where v.id = new.voucher_id and v.source = 'accrual_posting' and v.row_count = 2
        and v.verification_date = new.posting_date
        and exists (select from ledger.voucher_rows r where r.voucher_id = v.id
          and r.account = a.result_account and r.debit_ore - r.credit_ore = new.result_ore)
        and exists (select from ledger.voucher_rows r where r.voucher_id = v.id
          and r.account = a.balance_account and r.credit_ore - r.debit_ore = new.result_ore)) then
    raise exception 'voucher % is not posting % of accrual %', new.voucher_id, new.place, new.accrual_id
      using errcode = 'HB002', constraint = 'accrual_postings_are_what_was_planned';
  end if;
  return new;
end $$;
