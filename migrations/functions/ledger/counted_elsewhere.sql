-- Vouchers that do not count in the VAT return of the days they stand on, and why: what settles VAT, opens a year or moves
-- what was booked to other months, what
-- people say does of what was imported, and what takes such vouchers back count in none; what mends a filed period
-- counts on that period's last day. `is_kept` says that the kept sums know it by the voucher's origin.
create or replace function ledger.counted_elsewhere()
returns table (voucher_id uuid, why text, is_kept boolean, counts_on date)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive beside as (
    select v.id, case v.source when 'vat' then 'settlement' else 'opening' end as why, true as is_kept
    from ledger.vouchers v where v.source in ('vat', 'opening')
    union
    select p.voucher_id, 'accrual', true from ledger.accrual_postings p where p.voucher_id is not null
    union
    select j.voucher_id, 'imported_settlement', false
    from ledger.settlement_judgements j where j.period_end is not null
    union
    select part.id, part.why, false
    from beside join ledger.corrections c on c.corrected_id = beside.id
    cross join lateral (values (c.reversal_id, 'taken_back'),
      (case beside.why when 'imported_settlement' then c.replacement_id end, 'imported_settlement')) as part (id, why)
    where part.id is not null
  )
  select b.id, b.why, b.is_kept, null::date from beside b
  union all
  select a.voucher_id, 'assigned', false, a.period_end from ledger.vat_assignments a
$$;
