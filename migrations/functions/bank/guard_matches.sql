-- What the bank said of rows stays, and a voucher books rows of accounts that it has rows on, no more of each than it changes
-- it by: of all rows that one statement matches. Sets are put together before they are asked of: while statistics are old (right after many rows
-- came in), a lookup for each row may read through an index of all that are matched.
create or replace function bank.guard_matches() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_faulty uuid;
  v_vouchers uuid[];
begin
  with changed as materialized (
    select n.id, o.id is null or (n.account_id, n.reference, n.booked_on, n.amount_ore, n.description)
      is distinct from (o.account_id, o.reference, o.booked_on, o.amount_ore, o.description) as is_faulty
    from after n left join before o using (id)
  )
  select id into v_faulty from changed where is_faulty limit 1;
  if found then
    raise exception 'bank row % stays what the bank said', v_faulty
      using errcode = 'HB001', constraint = 'transactions_are_the_banks';
  end if;
  with changed as materialized (
    select n.voucher_id from after n join before o using (id)
    where n.voucher_id is not null and n.voucher_id is distinct from o.voucher_id
  )
  select array_agg(distinct voucher_id) into v_vouchers from changed;
  if v_vouchers is null then
    return null;
  end if;
  perform from bank.accounts where id in (select account_id from after where voucher_id is not null)
  order by id for update;
  with new_match as materialized (
    select n.voucher_id, n.account_id, n.amount_ore from after n join before o using (id)
    where n.voucher_id is not null and n.voucher_id is distinct from o.voucher_id
  ), change as materialized (
    -- Looked up by the voucher: an index by account would be read through.
    select r.voucher_id, r.account + 0 as account, sum(r.debit_ore - r.credit_ore) as ore
    from ledger.voucher_rows r where r.voucher_id = any (v_vouchers) group by 1, 2
  ), matched as materialized (
    select t.voucher_id, t.account_id, sum(t.amount_ore) as ore
    from bank.transactions t where t.voucher_id = any (v_vouchers) group by 1, 2
  )
  select n.voucher_id into v_faulty
  from new_match n join bank.accounts a on a.id = n.account_id
  join matched m on m.voucher_id = n.voucher_id and m.account_id = n.account_id
  left join change c on c.voucher_id = n.voucher_id and c.account = a.ledger_account
  where c.ore is null or case when n.amount_ore > 0 then m.ore > c.ore else m.ore < c.ore end
  limit 1;
  if found then
    raise exception 'voucher % books less than is matched with it', v_faulty
      using errcode = 'HB002', constraint = 'transactions_have_room';
  end if;
  return null;
end $$;
