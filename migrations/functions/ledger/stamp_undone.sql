-- An import is undone now, once, and when each of its vouchers has been taken back or is gone: its file may then
-- be taken in again.
create or replace function ledger.stamp_undone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if old.undone_at is not null then
    new.undone_at := old.undone_at;
  elsif new.undone_at is not null then
    new.undone_at := clock_timestamp();
    if exists (select from ledger.imported_vouchers i where i.import_id = new.id
        and not exists (select from ledger.corrections c where c.corrected_id = i.voucher_id)) then
      raise exception 'import % is not undone: its vouchers stand', new.id
        using errcode = 'HB002', constraint = 'imports_are_undone_with_their_vouchers';
    end if;
  end if;
  return new;
end $$;
