-- Where a draft came from is what made it: a person at a page, or the worker of orders. It decides whom the
-- invoice is frozen to.
create or replace function sales.judge_source() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'this origin is not its to give' using errcode = 'HB405';
end $$;
