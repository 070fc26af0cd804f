-- What the law wants on an invoice and nobody could say: where the board has its seat (aktiebolagslagen
-- 2005:551, 28 kap. 5 §), and when goods or services were delivered, if that is another day than the
-- invoice's (mervärdesskattelagen 2023:200, 17 kap. 24 §). Two columns without a value; no rewrite.
alter table restricted.company
  add column seat text,
  add constraint company_seat_length check (char_length(seat) <= 100);

-- Null: the same day, or none that can be told. Frozen with the rest when the invoice is booked.
alter table sales.invoices add column delivery_date date;
