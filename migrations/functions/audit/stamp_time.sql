-- People do not choose when something came to be.
create or replace function audit.stamp_time() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.created_at := case tg_op when 'INSERT' then clock_timestamp() else old.created_at end;
  return new;
end $$;
