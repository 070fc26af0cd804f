-- Whether one of the accounts has a VAT code now: for invoices of nothing, which have no voucher whose rows
-- would say.
create or replace function ledger.touches_vat(p_accounts integer[]) returns boolean language sql stable as $$
  select exists (select from ledger.accounts where number = any (p_accounts) and vat_code is not null)
$$;
