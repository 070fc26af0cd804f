-- The company's number in Swish, as people write it: a code on invoices pays to it. Instant: no default.
alter table restricted.company
  add column swish text,
  add constraint company_swish_form check (swish ~ '^123 [0-9]{3} [0-9]{2} [0-9]{2}$');
