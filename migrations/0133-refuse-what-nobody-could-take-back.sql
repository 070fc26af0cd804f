-- What no program of ours writes is refused: a password that costs another's process its memory, and a
-- voucher that says it is a supplier's invoice and is none's.
-- functions: purchases.require_invoice

-- An address that nobody has is tried at the cost of somebody's, so that the two take equally long.
alter table restricted.users
  drop constraint users_password_cost_form,
  add constraint users_password_cost_known check (password_cost in ('m=19456,t=2,p=1'));

create constraint trigger supplier_vouchers_have_their_invoice after insert on ledger.vouchers
  deferrable initially deferred for each row
  when (new.source = 'supplier_invoice')
  execute function purchases.require_invoice();
