-- Keeps what each month did to what is owed on 2440, as an invoice is booked.
create or replace function purchases.sum_booked() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.debt_account = 2440 then
    perform purchases.sum_changes(array[new.voucher_id], array[purchases.owed_ore(new)]);
  end if;
  return null;
end $$;
