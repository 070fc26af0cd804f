-- Proves every voucher that rows were added to: all its rows are there, they balance, and they repeat
-- its place. Because row_count is part of the voucher, a row cannot join an old voucher either.
create or replace function ledger.check_new_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_faulty uuid;
begin
  select touched.voucher_id into v_faulty
  from (select distinct voucher_id from added) as touched
  left join lateral (
    select * from ledger.vouchers where id = touched.voucher_id limit 1) as v on true
  cross join lateral (
    select count(*) as row_count, sum(r.debit_ore) as debit, sum(r.credit_ore) as credit,
      bool_and(r.verification_date = v.verification_date and r.series = v.series
        and r.number = v.number
        and exists (select from ledger.accounts where number = r.account)
        and (r.cost_center_id is null or exists (select from ledger.dimensions
          where id = r.cost_center_id and kind = 'cost_center'))
        and (r.project_id is null or exists (select from ledger.dimensions
          where id = r.project_id and kind = 'project'))) as is_sound
    from ledger.voucher_rows r where r.voucher_id = v.id) as whole
  where v.id is null or whole.row_count <> v.row_count or whole.debit is distinct from v.total_ore
    or whole.credit is distinct from v.total_ore or not whole.is_sound
  limit 1;
  if found then
    raise exception 'voucher % does not balance, lacks rows or refers to what does not exist', v_faulty
      using errcode = 'HB002', constraint = 'vouchers_balance';
  end if;
  return null;
end $$;
