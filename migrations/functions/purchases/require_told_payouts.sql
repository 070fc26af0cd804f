-- Payouts are asked for by the bytes of their file, as they are added: all of them were when it was asked whether the file
-- is whole (purchases.require_told_file), and no two have the same name.
create or replace function purchases.require_told_payouts() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_file record;
begin
  for v_file in
    select f.number, purchases.orders_in(f.content) as orders, array(select a::purchases.payouts from added a where a.file_id = f.id) as payouts
    from purchases.payment_files f where f.id in (select a.file_id from added a)
  loop
    if v_file.orders is null or not purchases.are_asked_for(v_file.payouts, v_file.orders) then
      raise exception 'the bytes of file % are not what it pays', v_file.number
        using errcode = 'HB002', constraint = 'payment_files_are_told';
    end if;
  end loop;
  return null;
end $$;
