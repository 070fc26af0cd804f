-- The example company is marked as one from its beginning, so that its books may be emptied (restricted.empty_demo) and
-- test keys work there, and nowhere else. Its organisation number is nobody's (src/demo/company.ts): no other company
-- bears the mark, and none that bears it becomes another. Locks the tables of the company and of keys for a moment.
-- functions: restricted.keep_demo, restricted.require_demo
alter table restricted.company add column is_demo boolean not null default false;
-- Without an update, whose triggers would wait for the commit.
alter table restricted.company alter column is_demo type boolean using organization_number = '5599990008';
alter table restricted.company add constraint company_demo_has_its_number
  check (not is_demo or organization_number = '5599990008');
create trigger company_stays_what_it_is before update of is_demo on restricted.company
  for each row when (new.is_demo <> old.is_demo) execute function restricted.keep_demo();

alter table restricted.api_keys add column is_test boolean not null default false,
  add constraint api_keys_show_what_they_are check (is_test = starts_with(hint, 'svc_test_'));
create trigger test_keys_need_a_demo before insert or update of is_test on restricted.api_keys
  for each row when (new.is_test) execute function restricted.require_demo();
