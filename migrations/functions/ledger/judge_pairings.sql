-- What is paired comes to nothing, is of one account, and is never more of a row than the row: whoever pairs the same
-- account at once waits, and then sees what the other paired.
create or replace function ledger.judge_pairings() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_account integer;
begin
  for v_account in
    select distinct p.account from added a join ledger.pairings p on p.id = a.pairing_id order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('pairings of ' || v_account, 0));
  end loop;
  if exists (select from (select distinct a.pairing_id from added a) as n
      cross join lateral (select sum(r.amount_ore) as ore, count(*) as rows from ledger.paired_rows r
        where r.pairing_id = n.pairing_id) as whole
      where whole.ore <> 0 or whole.rows < 2)
    or exists (select from added a join ledger.pairings p on p.id = a.pairing_id
      left join ledger.voucher_rows r on r.voucher_id = a.voucher_id and r.row_no = a.row_no
      cross join lateral (select sum(abs(o.amount_ore)) as ore, bool_and(sign(o.amount_ore) = sign(a.amount_ore)) as is_one_way
        from ledger.paired_rows o where o.voucher_id = a.voucher_id and o.row_no = a.row_no) as paired
      where r.account is distinct from p.account or not paired.is_one_way
        or paired.ore > case when a.amount_ore > 0 then r.debit_ore else r.credit_ore end) then
    raise exception 'rows are paired that do not settle each other'
      using errcode = 'HB002', constraint = 'pairings_settle';
  end if;
  return null;
end $$;
