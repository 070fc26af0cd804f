-- The first month that is asked to be acknowledged: the one that the company has said, else that of the first
-- voucher beside the opening balance and what came from an old program, where its months were finished. Null while nothing is posted: there is nothing to finish.
create or replace function ledger.first_month() returns date
language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce((select c.months_from from restricted.company c),
    (select date_trunc('month', v.verification_date)::date from ledger.vouchers v
      where v.source not in ('opening', 'import') order by v.verification_date limit 1))
$$;
