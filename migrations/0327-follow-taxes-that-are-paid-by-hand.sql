-- A payment of tax that somebody books themselves is the payment that a file asked the bank for, as one of an invoice is.
-- functions: purchases.pay_taxes_by, purchases.follow_tax_vouchers, purchases.follow_corrections
create trigger tax_payments_are_followed after insert on ledger.voucher_rows
  referencing new table as added for each statement execute function purchases.follow_tax_vouchers();
create trigger tax_payouts_are_followed after insert on ledger.corrections
  for each row execute function purchases.follow_corrections();

-- A sole trader's VAT of a year is due in May: nobody with a personal number is a legal person, which is what a company
-- has been taken for where nothing was said.
update restricted.company set vat_yearly = 'sole_trader'
where vat_yearly = 'legal_person' and substr(organization_number, 3, 1) < '2';
