-- Rows of customer invoices say what their quantity counts and which discount is taken off. The rows of a
-- batch come as JSON by the table's own columns, so that a field more changes no function.

alter table sales.invoice_rows
  -- As given; null when nobody has said.
  add column unit text,
  -- Hundredths of a per cent, taken off quantity × unit price.
  add column discount_e2 bigint not null default 0,
  -- Of one line: it stands in a column of a document.
  add constraint invoice_rows_unit_form check (char_length(unit) between 1 and 20 and unit !~ '[[:cntrl:]]'),
  add constraint invoice_rows_discount_range check (discount_e2 between 0 and 10000);

drop function if exists api.create_invoices(
  bytea[], text[], bytea[], text[], uuid[], uuid[], uuid[], date[], date[], date[], integer[],
  text[], text[], bigint[], bigint[], boolean[], uuid[], integer[], integer[], text[], text[],
  bigint[], bigint[], integer[], integer[], bigint[], bigint[], integer[], integer[], integer[],
  bigint[], bigint[], boolean);
