-- Invoices tell keys which credit notes they have, and by which of the shop's refunds: another answer of the same function.
drop function if exists api.list_invoices(uuid[], text[], uuid[], text[], timestamptz, uuid, integer);
