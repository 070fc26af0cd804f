-- What a person typed in may be taken away again while nothing books it (`manuell-…`); what the bank
-- sent stays.
create or replace function bank.guard_transaction() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_change bigint;
  v_matched bigint;
begin
  if tg_op = 'DELETE' then
    if old.voucher_id is not null or old.reference not like 'manuell-%' then
      raise exception 'bank row % stays', old.id
        using errcode = 'HB004', constraint = 'transactions_stay';
    end if;
    return null;
  end if;
  if (new.id, new.account_id, new.reference, new.booked_on, new.amount_ore, new.description)
    is distinct from
    (old.id, old.account_id, old.reference, old.booked_on, old.amount_ore, old.description) then
    raise exception 'bank row % stays what the bank said', old.id
      using errcode = 'HB001', constraint = 'transactions_are_the_banks';
  end if;
  if new.voucher_id is null or new.voucher_id is not distinct from old.voucher_id then
    return null;
  end if;
  perform from bank.accounts where id = new.account_id for update;
  select coalesce(sum(r.debit_ore - r.credit_ore), 0) into v_change
  from ledger.voucher_rows r join bank.accounts a on a.ledger_account = r.account
  where r.voucher_id = new.voucher_id and a.id = new.account_id;
  select coalesce(sum(t.amount_ore), 0) into v_matched from bank.transactions t
  where t.voucher_id = new.voucher_id and t.account_id = new.account_id;
  if (new.amount_ore > 0 and v_matched > v_change) or (new.amount_ore < 0 and v_matched < v_change) then
    raise exception 'voucher % books less than is matched with it', new.voucher_id
      using errcode = 'HB002', constraint = 'transactions_have_room';
  end if;
  return null;
end $$;
