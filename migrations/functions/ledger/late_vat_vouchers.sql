-- Vouchers that count in the VAT return and were posted into a filed period after it was filed, and that nobody has
-- assigned. A payment of VAT (2650 has a code of its own) is in no box, and mends nothing.
create or replace function ledger.late_vat_vouchers(p_end date) returns table (voucher_id uuid)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select v.id from ledger.vat_filings f
  join ledger.vouchers v on v.verification_date between f.period_start and f.period_end and v.posted_at > f.filed_at
  where f.period_end = p_end
    and exists (select from ledger.voucher_rows r cross join lateral ledger.vat_box(r.account, r.vat_code)
      where r.voucher_id = v.id)
    and not exists (select from ledger.counted_elsewhere() e where e.voucher_id = v.id)
$$;
