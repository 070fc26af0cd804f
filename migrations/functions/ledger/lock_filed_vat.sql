-- Whoever files, the period is one of the company's and is filed once, and from then on its VAT is locked.
-- Postings in flight come before it, and later ones see the lock.
create or replace function ledger.lock_filed_vat() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform ledger.give_way_to_import();
  lock table ledger.series in exclusive mode;
  if new.period_start is distinct from ledger.vat_period_start(new.period_end) then
    raise exception 'no VAT period of the company is % to %', new.period_start, new.period_end
      using errcode = 'HB002', constraint = 'vat_filings_are_the_companys';
  end if;
  if exists (select from ledger.vat_filings f where f.period_end <> new.period_end
      and f.period_start <= new.period_end and new.period_start <= f.period_end) then
    raise exception 'a part of % to % is filed already', new.period_start, new.period_end
      using errcode = 'HB002', constraint = 'vat_filings_do_not_overlap';
  end if;
  update ledger.locks set vat_locked_to = greatest(vat_locked_to, new.period_end);
  return null;
end $$;
