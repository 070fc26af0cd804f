-- Vouchers whose document the system itself holds need no other: issued invoices and reminders, received
-- e-invoices, what providers of payments say of their payouts, tills' reports, plans of accruals and depreciation, reversals, VAT
-- settlement, opening and closing. Those of imported ones are in the old program.
create or replace function ledger.has_own_document(p_source text) returns boolean language sql immutable as $$
  select p_source in ('invoice', 'reminder', 'supplier_invoice', 'reversal', 'vat', 'opening', 'closing', 'import',
    'provider_settlement', 'till_report', 'accrual_posting')
$$;
