-- What came, and what was decided of it, stays.
create or replace function intake.refuse_change() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'what was decided is never changed'
    using errcode = 'HB001', constraint = tg_table_name || '_are_immutable';
end $$;
