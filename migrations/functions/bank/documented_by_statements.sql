-- Of vouchers, those that want no document beside what the system keeps of the bank (BFL 5 kap. 6–7 §§):
--   * what a row of a kept statement books, when all of it is known: it pays documents that are booked here, with what
--     makes up the difference; it moves money between accounts of ours; or it stands on an account that only settles what
--     another voucher tells of, or that the bank itself charges (bank.is_settling_account). A cost, a revenue or a thing
--     bought straight from a row wants its receipt still, and so does VAT that is deducted;
--   * whatever a row of the tax account books: its statement is what Skatteverket has decided;
--   * a booking of a row that was taken back, and what took it back;
--   * what sets documents off against each other: both are here.
create or replace function bank.documented_by_statements(p_vouchers uuid[]) returns setof uuid
language sql stable set search_path = pg_catalog, pg_temp as $$
  with told as materialized (
    select t.voucher_id, bool_or(a.kind = 'tax') as is_of_tax_account
    from bank.transactions t join bank.accounts a on a.id = t.account_id
    where t.voucher_id = any (p_vouchers) and t.statement_id is not null group by 1
  ), paid as materialized (
    select p.voucher_id, array_agg(distinct p.debt_account) as debts, bool_or(p.kind = 'set_off') as sets_off,
      bool_or(p.kind = 'loss') as takes_loss_back
    from (
      select p.voucher_id, p.kind, 1510 as debt_account from sales.payments p where p.voucher_id = any (p_vouchers)
      union all
      select p.voucher_id, p.kind, i.debt_account from purchases.payments p join purchases.invoices i on i.id = p.invoice_id
      where p.voucher_id = any (p_vouchers)) as p
    group by 1
  )
  select v.id
  from ledger.vouchers v left join told t on t.voucher_id = v.id left join paid p on p.voucher_id = v.id
  where v.id = any (p_vouchers) and not ledger.has_own_document(v.source) and (
    exists (select from bank.undone_bookings u where u.voucher_id = v.id)
    or exists (select from bank.undone_bookings u where u.taken_back_by = v.id)
    or v.source = 'bank' and exists (select from ledger.corrections c where c.corrected_id = v.id)
    or t.is_of_tax_account
    or p.sets_off and not exists (
      select from ledger.voucher_rows r where r.voucher_id = v.id and r.account <> all (p.debts))
    or t.voucher_id is not null and not exists (
      select from ledger.voucher_rows r
      where r.voucher_id = v.id and not bank.is_settling_account(r.account)
        and not exists (select from bank.accounts a where a.ledger_account = r.account)
        and (p.voucher_id is null
          or r.account <> all (p.debts)
            and coalesce(sales.settlement_kind(r.account) not in ('rounding', 'bank_fee', 'exchange', 'loss'), true)
            -- The VAT of a loss that the money took back (src/domain/sales/bad-debt.ts).
            and not (p.takes_loss_back and r.account between 2610 and 2639))))
$$;
