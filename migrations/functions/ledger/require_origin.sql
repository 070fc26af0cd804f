-- At the commit: what people post as of a document, of the bank, or of a year's first or last day is that. By their
-- origin vouchers are told apart from what happened: openings stand in no box of the VAT return, and what the
-- system has the document of waits for no other (ledger.has_own_document). What opens holds no income and no
-- cost; what closes moves a result to equity (src/domain/ledger/opening-balances.ts), and nothing else.
create or replace function ledger.require_origin() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_holds boolean;
begin
  if session_user <> 'hb_app' then return null; end if;
  v_holds := case new.source
    when 'opening' then not exists (
        select from ledger.voucher_rows r where r.voucher_id = new.id and r.account not between 1000 and 2999)
      and (exists (
        select from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
        where s.id = new.series_id and y.start_date = new.verification_date)
      -- What replaces one stands on a day that is open.
      or exists (select from ledger.corrections c join ledger.vouchers v on v.id = c.corrected_id
        where c.replacement_id = new.id and v.source = 'opening'))
    when 'closing' then exists (
        select from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
        where s.id = new.series_id and y.end_date = new.verification_date)
      and not exists (select from ledger.voucher_rows r
        where r.voucher_id = new.id and r.account <> 8999 and r.account not between 2010 and 2099)
    when 'reversal' then exists (select from ledger.corrections c where c.reversal_id = new.id)
    when 'reminder' then exists (select from sales.reminders r where r.voucher_id = new.id)
      or exists (select from sales.withdrawn_fees f where f.voucher_id = new.id)
    when 'payment' then exists (select from sales.payments p where p.voucher_id = new.id)
    when 'bank' then exists (select from bank.transactions t where t.voucher_id = new.id)
    when 'accrual_posting' then exists (select from ledger.accrual_postings p where p.voucher_id = new.id)
    when 'supplier_payment' then exists (select from purchases.payments p where p.voucher_id = new.id)
  end;
  if not v_holds then
    raise exception 'voucher % is no %', new.id, new.source
      using errcode = 'HB002', constraint = 'vouchers_are_what_they_say';
  end if;
  return null;
end $$;
