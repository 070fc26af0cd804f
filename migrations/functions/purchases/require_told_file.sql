-- At the commit, or when it is asked early: the bytes of a file ask the bank for its payouts and for nothing else, since people
-- say yes to payouts and the bank does what the bytes say. After that there is no payout to add: one that comes must be
-- asked for too (purchases.require_told_payouts).
create or replace function purchases.require_told_file() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_orders constant text[] := purchases.orders_in(new.content);
  v_payouts constant purchases.payouts[] := array(select p from purchases.payouts p where p.file_id = new.id);
begin
  if new.sha256 <> sha256(new.content) or v_orders is null or cardinality(v_orders) = 0
    or cardinality(v_orders) <> cardinality(v_payouts) or not purchases.are_asked_for(v_payouts, v_orders) then
    raise exception 'the bytes of file % are not what it pays', new.number
      using errcode = 'HB002', constraint = 'payment_files_are_told';
  end if;
  return null;
end $$;
