-- What becomes of invoices is told by one statement for all that were changed together. Takes a short lock on sales.invoices.
-- functions: events.note_invoice_status
drop trigger invoices_tell_status on sales.invoices;
create trigger invoices_tell_status after update on sales.invoices
  referencing old table as before new table as after
  for each statement execute function events.note_invoice_status();
