-- A company is the example from its beginning, or never.
create or replace function restricted.keep_demo() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'whether the company is the example is said when it is made, and never changes'
    using errcode = 'HB002', constraint = 'company_stays_what_it_is';
end $$;
