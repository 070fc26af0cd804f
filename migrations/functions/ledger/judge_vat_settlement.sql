-- A voucher settles the VAT of a period only if it empties the accounts of what the period brought. A filed period is as it
-- was filed, whatever periods the company has since, and days of one are settled with it alone.
create or replace function ledger.judge_vat_settlement() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_start date := coalesce((select f.period_start from ledger.vat_filings f where f.period_end = new.period_end),
    ledger.vat_period_start(new.period_end));
begin
  if v_start is null
    or exists (select from ledger.vat_filings f where f.period_end <> new.period_end
      and f.period_start <= new.period_end and v_start <= f.period_end)
    or not exists (select from ledger.vouchers v where v.id = new.voucher_id and v.source = 'vat')
    or exists (select from ledger.vat_of_period(v_start, new.period_end) p
      where p.account <> 2650 and p.brought_ore + p.settled_ore <> 0) then
    raise exception 'voucher % does not settle the VAT to %', new.voucher_id, new.period_end
      using errcode = 'HB002', constraint = 'vat_settlements_settle';
  end if;
  return null;
end $$;
