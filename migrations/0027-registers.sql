-- What the register pages need: prices of articles, how suppliers are reached, rules that a person at a
-- browser meets (an account's type, a used article, reopening a year), and indexes that keep the lists
-- quick. The registers are rewritten once, which are small; the indexes are built while
-- their tables wait, a few seconds at a million vouchers.

-- What an article costs unless the invoice says otherwise, without VAT, in ten-thousandths of a krona, and
-- what it is counted in. The VAT follows from the account.
alter table sales.articles
  add column unit_price_e4 bigint,
  add column unit text,
  add constraint articles_unit_price_range
    check (unit_price_e4 between -99999999999999 and 99999999999999),
  add constraint articles_unit_length check (char_length(unit) between 1 and 20);

alter table purchases.suppliers
  add column email text,
  add column phone text,
  add column address text,
  add column postal_code text,
  add column city text,
  add constraint suppliers_email_length check (char_length(email) <= 320),
  add constraint suppliers_phone_length check (char_length(phone) <= 50),
  add constraint suppliers_address_length check (char_length(address) <= 200),
  add constraint suppliers_postal_code_length check (char_length(postal_code) <= 20),
  add constraint suppliers_city_length check (char_length(city) <= 100);

-- A name as it is sorted, whatever the database's own locale is: without regard to case, and å, ä, ö after
-- z. A column of its own, because only a plain comparison may walk an index under row level security.
alter table sales.customers add column sort_name text collate "C" generated always as (
  translate(lower(name), 'ÅåÄäÆæÖöØøÉéÈèÁáÜü', '{{||||}}}}eeeeaauu')) stored;
alter table purchases.suppliers add column sort_name text collate "C" generated always as (
  translate(lower(name), 'ÅåÄäÆæÖöØøÉéÈèÁáÜü', '{{||||}}}}eeeeaauu')) stored;
create index customers_in_order on sales.customers (sort_name, id);
create index suppliers_in_order on purchases.suppliers (sort_name, id);
-- What a customer owes and what we owe a supplier, without reading all that is paid.
create index invoices_open_by_customer on sales.invoices (customer_id) include (open_ore, due_date)
  where open_ore <> 0;
create index invoices_open_by_supplier on purchases.invoices (supplier_id) include (open_ore)
  where open_ore <> 0;
create index invoices_by_supplier_and_date on purchases.invoices (supplier_id, issue_date desc, id desc);
create index invoice_rows_by_article on sales.invoice_rows (article_number)
  where article_number is not null;
-- Where a dimension is used; most rows have none.
create index voucher_rows_by_cost_center on ledger.voucher_rows (cost_center_id, verification_date)
  where cost_center_id is not null;
create index voucher_rows_by_project on ledger.voucher_rows (project_id, verification_date)
  where project_id is not null;
-- Who set a lock, and when.
create index events_by_action_and_time on audit.events (action, occurred_at desc, id desc);

-- An account that vouchers are posted on keeps its type: reports of closed years rest on it.
create trigger accounts_keep_type before update of type on ledger.accounts
  for each row when (old.type is distinct from new.type) execute function ledger.refuse_if_in_use();

-- What is pointed out by number, without a foreign key: coded purchases and the company's own choice.
create function ledger.refuse_if_named() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from purchases.invoice_rows where account = old.number)
      or exists (select from restricted.company where purchase_account = old.number) then
    raise exception 'account % is in use; deactivate it instead', old.number
      using errcode = 'HB004', constraint = 'accounts_in_use';
  end if;
  return old;
end $$;
create trigger accounts_are_named before delete on ledger.accounts
  for each row execute function ledger.refuse_if_named();

-- Invoices name their articles by number.
create function sales.refuse_article_in_use() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from sales.invoice_rows where article_number = old.number) then
    raise exception 'article % is on invoices; deactivate it instead', old.number
      using errcode = 'HB004', constraint = 'articles_in_use';
  end if;
  return coalesce(new, old);
end $$;
create trigger articles_in_use before delete or update of number on sales.articles
  for each row execute function sales.refuse_article_in_use();

-- Only owners reopen a year, and a year that has vouchers keeps its days.
create function ledger.guard_fiscal_year() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if (new.year, new.start_date, new.end_date) is distinct from (old.year, old.start_date, old.end_date)
      and exists (select from ledger.series where fiscal_year_id = old.id and last_number > 0) then
    raise exception 'fiscal year % has vouchers; its days stay', old.year
      using errcode = 'HB004', constraint = 'fiscal_years_in_use';
  end if;
  if old.status = 'closed' and new.status = 'open' and session_user = 'hb_app'
      and not app.may('own') then
    raise exception 'only an owner reopens a year' using errcode = 'HB405';
  end if;
  return new;
end $$;
create trigger fiscal_years_are_guarded before update on ledger.fiscal_years
  for each row execute function ledger.guard_fiscal_year();

-- Years are reopened from the last one backwards, since each carries its balances into the next.
create function ledger.refuse_reopening_under_closed() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from after a join before b on b.id = a.id
      join ledger.fiscal_years later on later.start_date > a.end_date and later.status = 'closed'
      where b.status = 'closed' and a.status = 'open') then
    raise exception 'a later fiscal year is closed'
      using errcode = 'HB004', constraint = 'fiscal_years_reopen_backwards';
  end if;
  return null;
end $$;
create trigger fiscal_years_reopen_backwards after update on ledger.fiscal_years
  referencing old table as before new table as after
  for each statement execute function ledger.refuse_reopening_under_closed();
