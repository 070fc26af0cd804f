-- Whether one of the accounts has a VAT code now or is an account of VAT: for invoices of nothing, which have no voucher whose rows
-- would say.
create or replace function ledger.touches_vat(p_accounts integer[]) returns boolean language sql stable as $$
  select exists (select from ledger.accounts where number = any (p_accounts)
    and (vat_code is not null or ledger.is_vat_account(number)))
$$;
