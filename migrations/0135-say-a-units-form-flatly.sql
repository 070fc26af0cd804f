-- One condition after the other, as pg_dump writes it: "between" beside another condition comes back from a dump
-- without the brackets that it went in with, and verify then took the table for changed.
alter table sales.invoice_rows
  drop constraint invoice_rows_unit_form,
  add constraint invoice_rows_unit_form
    check (char_length(unit) >= 1 and char_length(unit) <= 20 and unit !~ '[[:cntrl:]]');
