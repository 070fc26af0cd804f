-- What people say of the columns of lists that banks give, by their row of headings.
-- functions: audit.stamp_created
create table bank.mappings (
  id uuid primary key,
  headings text[] not null constraint mappings_headings_key unique
    constraint mappings_headings_shape check (cardinality(headings) >= 3 and cardinality(headings) <= 200
      and array_ndims(headings) = 1 and array_position(headings, null) is null
      and char_length(array_to_string(headings, '')) <= 2000),
  -- What each heading is; null for what is not read.
  roles text[] not null
    constraint mappings_roles_known check (array_remove(roles, null) <@ array['date', 'valueDate', 'text', 'amount',
      'deposit', 'withdrawal', 'balance', 'reference', 'otherName'] and array_ndims(roles) = 1),
  decimal_mark text not null constraint mappings_decimal_mark_known check (decimal_mark in (',', '.')),
  day_order text not null constraint mappings_day_order_known check (day_order in ('ymd', 'dmy', 'compact')),
  -- Amounts above zero are money out.
  is_reversed boolean not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint mappings_of_every_heading check (cardinality(roles) = cardinality(headings))
);
create trigger people_are_named before insert on bank.mappings for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
alter table bank.mappings enable row level security;
create policy people_read on bank.mappings for select to hb_app using ((select app.may('read')));
create policy people_write on bank.mappings to hb_app using ((select app.may('keep_books')));
