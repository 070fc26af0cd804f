-- How many bytes of pages a person may ask for in a day: the archive of 200 000 vouchers, and much beside.
create or replace function archive.page_budget() returns bigint
language sql immutable set search_path = pg_catalog, pg_temp as 'select 1000000000::bigint';
