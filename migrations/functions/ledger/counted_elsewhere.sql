-- Vouchers that count in no box of the days they stand on, and why: what settles VAT or opens a year, and what takes such
-- vouchers back. `is_kept` says that the kept sums know it by the voucher's origin.
create or replace function ledger.counted_elsewhere()
returns table (voucher_id uuid, why text, is_kept boolean)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive beside as (
    select v.id, case v.source when 'vat' then 'settlement' else 'opening' end as why, true as is_kept
    from ledger.vouchers v where v.source in ('vat', 'opening')
    union
    select c.reversal_id, 'taken_back', false
    from beside join ledger.corrections c on c.corrected_id = beside.id
  )
  select b.id, b.why, b.is_kept from beside b
$$;
