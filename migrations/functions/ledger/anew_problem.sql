-- Why the books cannot be emptied and begun anew: null when they can. Only what came out of SIE files, and what
-- took it back, may go: everything else is the company's own bookkeeping, which stays (BFL 5:5, 7:2), as does what
-- rests on it. Told as a fault: path, reason, and what its sentence reads.
create or replace function ledger.anew_problem() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with own as (
    select v.id, v.series || v.number as label, v.verification_date
    from ledger.vouchers v
    where not exists (select from ledger.imported_vouchers i where i.voucher_id = v.id)
      -- The undoing of an import.
      and not exists (select from ledger.corrections c
        join ledger.imported_vouchers i on i.voucher_id = c.corrected_id
        join ledger.imports m on m.id = i.import_id and m.undone_at is not null
        where c.reversal_id = v.id and c.replacement_id is null)
    order by v.posted_at limit 1
  )
  select jsonb_build_object('path', '', 'reason', p.reason) || p.params from (
    select 1 as place, 'books_have_own_vouchers' as reason,
      jsonb_build_object('voucher', own.label, 'date', own.verification_date) as params from own
    union all
    select 2, 'books_have_invoices', '{}'
    where exists (select from sales.invoices i where i.status <> 'draft')
    union all
    select 3, 'books_have_purchases', '{}'
    where exists (select from purchases.invoices p where p.status = 'booked')
    union all
    select 4, 'books_have_bank_matches', '{}'
    where exists (select from bank.transactions t where t.voucher_id is not null)
    union all
    select 5, 'books_have_documents', '{}' where exists (select from ledger.attachments)
    union all
    select 6, 'books_have_vat_filings', '{}'
    where exists (select from ledger.vat_filings) or exists (select from ledger.vat_settlements)
    union all
    select 7, 'books_have_month_ends', '{}' where exists (select from ledger.month_ends)
    union all
    select 8, 'books_have_closed_year', jsonb_build_object('of', max(y.year))
    from ledger.fiscal_years y where y.status = 'closed' having count(*) > 0
    union all
    select 9, 'books_are_locked', jsonb_build_object('lockedTo', greatest(l.period_locked_to, l.vat_locked_to))
    from ledger.locks l
    where greatest(l.period_locked_to, l.vat_locked_to) >= (select min(v.verification_date) from ledger.vouchers v)
  ) as p
  order by p.place limit 1
$$;
