-- What is told of a row names its account's IBAN: another one there is a change of all its rows.
create or replace function bank.touch_rows() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  update bank.transactions t set updated_at = t.updated_at where t.account_id = new.id;
  return null;
end $$;
