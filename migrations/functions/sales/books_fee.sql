-- Whether a voucher books a reminder's fee (src/domain/sales/invoice.ts), or takes it back, and nothing else: of that day,
-- so much from one account to another, and of no other reminder.
create or replace function sales.books_fee(
  p_voucher uuid, p_day date, p_debit integer, p_credit integer, p_ore bigint
) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from ledger.vouchers v
      where v.id = p_voucher and v.source = 'reminder' and v.verification_date = p_day and v.row_count = 2
        and exists (select from ledger.voucher_rows r
          where r.voucher_id = v.id and r.account = p_debit and r.debit_ore = p_ore)
        and exists (select from ledger.voucher_rows r
          where r.voucher_id = v.id and r.account = p_credit and r.credit_ore = p_ore))
    and (select count(*) from sales.reminders r where r.voucher_id = p_voucher)
      + (select count(*) from sales.withdrawn_fees w where w.voucher_id = p_voucher) = 1
$$;
