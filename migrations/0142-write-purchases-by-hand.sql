-- Suppliers' invoices that a person writes from paper or PDF, and what somebody has laid out of their own money:
-- the same register as the e-invoices, the same states, the same payments.
-- functions: api.post_vouchers, ledger.post, purchases.require_invoice, purchases.owed_ore, purchases.book
-- functions: purchases.freeze_booked_invoice, purchases.judge_booked_payments, purchases.remove_opening_invoice
-- functions: sales.judge_opening_items, ledger.failing_conditions

-- Days from the invoice's date; null is thirty.
alter table purchases.suppliers
  add column payment_days integer,
  add constraint suppliers_payment_days_range check (payment_days between 0 and 365);

alter table purchases.invoices
  add column is_by_hand boolean not null default false,
  -- Where what is owed stands: 2440, or of an outlay the account of who laid the money out. On 2018 nothing is
  -- owed: a sole trader has put it in.
  add column debt_account integer not null default 2440,
  add column laid_out_by text,
  -- As it was typed, to be changed: see src/purchases/by-hand/written.ts.
  add column written jsonb,
  add column written_by text,
  drop constraint invoices_booked_is_complete,
  add constraint invoices_booked_is_complete check (status <> 'booked'
    or (booking_date is not null and (supplier_id is not null or laid_out_by is not null))),
  drop constraint invoices_opening_is_booked,
  -- Without a document, it was written by hand or taken over with the opening balance.
  add constraint invoices_opening_is_booked check (document_id is not null or is_by_hand
    or (status = 'booked' and voucher_id is null and payable_ore <> 0)),
  add constraint invoices_by_hand_are_written check (case when is_by_hand
    then document_id is null and written is not null and written_by is not null
    else written is null and written_by is null end),
  add constraint invoices_debt_is_somebodys check (case when laid_out_by is null then debt_account = 2440
    else debt_account in (2018, 2820, 2893) and is_by_hand and supplier_id is null end),
  add constraint invoices_laid_out_by_length check (char_length(laid_out_by) between 1 and 200);
drop index purchases.invoices_opening_key;
create unique index invoices_opening_key on purchases.invoices (supplier_id, invoice_number)
  where document_id is null and not is_by_hand;
-- The same invoice is not written twice; one that was rejected may be.
create unique index invoices_by_hand_key on purchases.invoices (supplier_id, invoice_number)
  where is_by_hand and status <> 'rejected';
create index invoices_laid_out on purchases.invoices (laid_out_by) include (open_ore)
  where laid_out_by is not null;

alter table purchases.invoice_rows
  add column cost_center_id uuid,
  add column project_id uuid;

create constraint trigger purchases_by_hand_have_their_invoice after insert on ledger.vouchers
  deferrable initially deferred for each row
  when (new.source = 'purchase_by_hand')
  execute function purchases.require_invoice();
