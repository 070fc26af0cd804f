-- Invoices tell keys which currency they are in, and whose VAT their rows bear: another answer of the same function.
drop function if exists api.list_invoices(uuid[], text[], uuid[], text[], timestamptz, uuid, integer);
