-- Whether the transaction sees what is committed now and began lately; our logins' last a minute or two.
create or replace function restricted.is_up_to_date() returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select current_setting('transaction_isolation') = 'read committed'
    and clock_timestamp() < now() + interval '10 minutes'
$$;
