-- What says that it settles VAT, and so stands in no box of the return, settles that of a period.
-- functions: ledger.require_vat_period

create constraint trigger vat_vouchers_have_their_period after insert on ledger.vouchers
  deferrable initially deferred for each row
  when (new.source = 'vat')
  execute function ledger.require_vat_period();
