-- What is pointed out by number, without a foreign key: coded purchases and the company's own choice.
create or replace function ledger.refuse_if_named() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from purchases.invoice_rows where account = old.number)
      or exists (select from restricted.company where purchase_account = old.number) then
    raise exception 'account % is in use; deactivate it instead', old.number
      using errcode = 'HB004', constraint = 'accounts_in_use';
  end if;
  return old;
end $$;
