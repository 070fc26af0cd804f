create or replace function sales.judge_unposted() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.rounding_ore <> 0 or exists (select from sales.invoice_rows r where r.invoice_id = new.id
      group by r.account having sum(r.net_ore) <> 0)
    or exists (select from sales.invoice_rows r where r.invoice_id = new.id
      group by r.vat_rate, r.oss_country is null having sum(r.vat_ore) <> 0) then
    raise exception 'invoice % moves money between accounts and has no voucher', new.id
      using errcode = 'HB002', constraint = 'invoices_amount_is_posted';
  end if;
  if not exists (select from ledger.fiscal_years y
      where new.invoice_date between y.start_date and y.end_date)
    or ledger.find_lock(new.invoice_date, ledger.touches_vat(
      array(select r.account from sales.invoice_rows r where r.invoice_id = new.id))) is not null then
    raise exception 'invoice % is dated in no open fiscal year', new.id
      using errcode = 'HB002', constraint = 'invoices_are_in_open_years';
  end if;
  return new;
end $$;
