-- What a statement says that the account held as a day ended; null where none has told of the whole day.
create or replace function bank.told_balance(p_account uuid, p_day date) returns bigint language sql stable
set search_path = pg_catalog, pg_temp as $$
  select b.balance_ore from bank.statements b
  where b.account_id = p_account and b.closing_date = p_day and exists (
    select from bank.imported_statements s
    where s.account_id = b.account_id and not s.is_notice and s.closing_ore is not null
      and b.closing_date between s.first_day and s.last_day
      -- A list that somebody fetched at noon is not of the whole day; a statement that the bank closed is.
      and (s.format like 'camt.%' or s.last_day > b.closing_date or exists (select from bank.days d
        where d.account_id = b.account_id and d.day = b.closing_date and d.is_to_end)))
$$;
