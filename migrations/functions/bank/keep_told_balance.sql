-- What a statement says of a whole day is no person's to say otherwise.
create or replace function bank.keep_told_balance() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if new.balance_ore <> bank.told_balance(new.account_id, new.closing_date) then
    raise exception 'a statement has told of %', new.closing_date
      using errcode = 'HB002', constraint = 'statements_are_the_banks';
  end if;
  return new;
end $$;
