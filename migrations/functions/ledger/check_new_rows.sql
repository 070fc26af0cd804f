-- Proves every voucher that rows were added to: all its rows are there, they balance, and they repeat
-- its place. Its rows are numbered from one to as many as it has and come in one statement, so no row can join an
-- old voucher either: its number is taken, or past the end.
create or replace function ledger.check_new_rows() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_faulty uuid;
begin
  -- Rows that differ in their place are two groups, and neither is as many as the voucher has.
  select whole.voucher_id into v_faulty
  from (
    select r.voucher_id, r.verification_date, r.series, r.number, count(*) as row_count,
      min(r.row_no) as first, max(r.row_no) as last, sum(r.debit_ore) as debit, sum(r.credit_ore) as credit,
      bool_and(exists (select from ledger.accounts where number = r.account)
        and (r.cost_center_id is null or exists (select from ledger.dimensions
          where id = r.cost_center_id and kind = 'cost_center'))
        and (r.project_id is null or exists (select from ledger.dimensions
          where id = r.project_id and kind = 'project'))) as is_sound
    from added r group by 1, 2, 3, 4) as whole
  left join lateral (
    select * from ledger.vouchers where id = whole.voucher_id limit 1) as v on true
  where v.id is null or whole.verification_date <> v.verification_date or whole.series <> v.series
    or whole.number <> v.number or whole.row_count <> v.row_count or whole.first <> 1 or whole.last <> v.row_count
    or whole.debit is distinct from v.total_ore or whole.credit is distinct from v.total_ore or not whole.is_sound
  limit 1;
  if found then
    raise exception 'voucher % does not balance, lacks rows or refers to what does not exist', v_faulty
      using errcode = 'HB002', constraint = 'vouchers_balance';
  end if;
  return null;
end $$;
