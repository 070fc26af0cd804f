-- A test key is made for the example company alone, and so opens no other: a company never becomes the example, nor
-- the example another company (restricted.keep_demo, company_demo_has_its_number).
create or replace function restricted.require_demo() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from restricted.company c where c.is_demo) then
    raise exception 'test keys are for the example company alone'
      using errcode = 'HB002', constraint = 'test_keys_need_a_demo';
  end if;
  return new;
end $$;
