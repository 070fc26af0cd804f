-- What stands for good is judged by the tables, whoever writes it: days that are days, amounts that vouchers can hold,
-- payments of the shape that everybody reads. And an import is known to come from whom asked for it. Reads the bank's
-- tables through once, and lets nobody write to them meanwhile.
-- functions: bank.stamp_asked, bank.refuse_late_file

-- A day is one that is written YYYY-MM-DD; an amount is what a voucher holds; a balance is what a file full of the largest
-- amounts comes to, and two of them differ by what a bigint holds.
alter table bank.transactions
  add constraint transactions_booked_on_is_a_day check (booked_on between '0001-01-01' and '9999-12-31'),
  add constraint transactions_value_date_is_a_day check (value_date between '0001-01-01' and '9999-12-31'),
  add constraint transactions_amount_range check (amount_ore between -999999999999 and 999999999999),
  add constraint transactions_balance_range check (balance_after_ore between -4000000000000000000 and 4000000000000000000),
  add constraint transactions_texts_length check (char_length(bank_reference) <= 2000
    and char_length(servicer_reference) <= 2000 and char_length(code) <= 2000),
  -- A person takes away what was typed (bank.guard_transaction), and nothing that a bank has sent.
  add constraint transactions_sent_or_typed check (statement_id is null or reference not like 'manuell-%');
alter table bank.announcements
  add constraint announcements_days_are_days check (booked_on between '0001-01-01' and '9999-12-31'),
  add constraint announcements_amount_range check (amount_ore between -999999999999 and 999999999999),
  add constraint announcements_texts_length check (char_length(description) <= 2000
    and char_length(bank_reference) <= 2000 and char_length(servicer_reference) <= 2000);
alter table bank.imported_statements
  add constraint imported_statements_first_day_is_a_day check (first_day between '0001-01-01' and '9999-12-31'),
  add constraint imported_statements_last_day_is_a_day check (last_day between '0001-01-01' and '9999-12-31'),
  add constraint imported_statements_opening_range check (opening_ore between -4000000000000000000 and 4000000000000000000),
  add constraint imported_statements_closing_range check (closing_ore between -4000000000000000000 and 4000000000000000000),
  add constraint imported_statements_counts check (place > 0 and entries >= 0 and added >= 0),
  add constraint imported_statements_texts_length check (char_length(format) <= 50 and char_length(bank_id) <= 2000);
alter table bank.days
  add constraint days_are_days check (day between '0001-01-01' and '9999-12-31'),
  add constraint days_opening_range check (opening_ore between -4000000000000000000 and 4000000000000000000),
  add constraint days_closing_range check (closing_ore between -4000000000000000000 and 4000000000000000000);
alter table bank.statements
  add constraint statements_days_are_days check (closing_date between '0001-01-01' and '9999-12-31'),
  add constraint statements_balance_range check (balance_ore between -4000000000000000000 and 4000000000000000000);
alter table bank.details
  add constraint details_amount_range check (amount_ore between -999999999999 and 999999999999),
  add constraint details_texts_length check (char_length(currency) <= 2000 and char_length(end_to_end_id) <= 2000
    and char_length(batch_id) <= 2000 and char_length(payment_id) <= 2000 and char_length(servicer_reference) <= 2000
    and char_length(return_reason) <= 2000),
  -- Plain lists of a hundred at most.
  add constraint details_references_are_texts check (cardinality(creditor_references) <= 100
    and coalesce(array_ndims(creditor_references), 1) = 1 and array_position(creditor_references, null) is null
    and char_length(array_to_string(creditor_references, '')) <= 200000),
  add constraint details_texts_are_texts check (cardinality(texts) <= 100 and coalesce(array_ndims(texts), 1) = 1
    and array_position(texts, null) is null and char_length(array_to_string(texts, '')) <= 200000),
  -- [{number, kind}], a text, and a text or null (PaidDocument).
  add constraint details_documents_are_documents check (case when jsonb_typeof(documents) = 'array'
    then jsonb_array_length(documents) <= 100 and pg_column_size(documents) <= 2000000
      and not jsonb_path_exists(documents, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(documents, '$[*] ? (!(@.number.type() == "string")
        || !(@.kind.type() == "string" || @.kind.type() == "null"))')
    else false end),
  -- {name, account, accountKind}, each a text or null (BankParty).
  add constraint details_debtor_is_a_party check (coalesce(jsonb_typeof(debtor) = 'object'
    and jsonb_typeof(debtor -> 'name') in ('string', 'null') and jsonb_typeof(debtor -> 'account') in ('string', 'null')
    and jsonb_typeof(debtor -> 'accountKind') in ('string', 'null') and pg_column_size(debtor) <= 30000, false)),
  add constraint details_creditor_is_a_party check (coalesce(jsonb_typeof(creditor) = 'object'
    and jsonb_typeof(creditor -> 'name') in ('string', 'null') and jsonb_typeof(creditor -> 'account') in ('string', 'null')
    and jsonb_typeof(creditor -> 'accountKind') in ('string', 'null') and pg_column_size(creditor) <= 30000, false));
alter table bank.sign_offs
  add constraint sign_offs_days_are_days check (day between '0001-01-01' and '9999-12-31'),
  add constraint sign_offs_summary_size check (jsonb_typeof(summary) = 'object' and pg_column_size(summary) <= 10000);

alter table bank.imports add column asked_by text;
update bank.imports set asked_by = created_by where asked_at is not null;
alter table bank.imports add constraint imports_asked_by_somebody check ((asked_at is null) = (asked_by is null));
create trigger askers_are_named before update of account_id, is_accepted, equal_rows, asked_at, asked_by on bank.imports
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function bank.stamp_asked();
create trigger files_come_before_asking before insert on bank.import_files
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function bank.refuse_late_file();

-- It took a report at its word; what took its place makes it.
drop function if exists api.take_bank_rows(bytea, text, bytea, text, uuid, uuid, uuid, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb);
