-- What the bank said of rows stays, and a voucher books no more of its account than it changes it by: of all rows that
-- one statement matches.
create or replace function bank.guard_matches() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_faulty uuid;
begin
  select n.id into v_faulty from after n left join before o using (id)
  where o.id is null or (n.account_id, n.reference, n.booked_on, n.amount_ore, n.description)
    is distinct from (o.account_id, o.reference, o.booked_on, o.amount_ore, o.description)
  limit 1;
  if found then
    raise exception 'bank row % stays what the bank said', v_faulty
      using errcode = 'HB001', constraint = 'transactions_are_the_banks';
  end if;
  if not exists (select from after n join before o using (id)
      where n.voucher_id is not null and n.voucher_id is distinct from o.voucher_id) then
    return null;
  end if;
  perform from bank.accounts where id in (select account_id from after where voucher_id is not null)
  order by id for update;
  select n.voucher_id into v_faulty
  from after n join before o using (id) join bank.accounts a on a.id = n.account_id
  -- Looked up by the voucher: an index by account would be read through for each.
  cross join lateral (select coalesce(sum(r.debit_ore - r.credit_ore), 0) as ore from ledger.voucher_rows r
    where r.voucher_id = n.voucher_id and r.account + 0 = a.ledger_account) as change
  cross join lateral (select coalesce(sum(t.amount_ore), 0) as ore from bank.transactions t
    where t.voucher_id = n.voucher_id and t.account_id::text = n.account_id::text) as matched
  where n.voucher_id is not null and n.voucher_id is distinct from o.voucher_id
    and case when n.amount_ore > 0 then matched.ore > change.ore else matched.ore < change.ore end
  limit 1;
  if found then
    raise exception 'voucher % books less than is matched with it', v_faulty
      using errcode = 'HB002', constraint = 'transactions_have_room';
  end if;
  return null;
end $$;
