-- What a shop says of payments comes with the draft that its order has become, and with nothing that is booked or that a
-- person wrote: as the draft is booked it is settled by them.
-- functions: sales.keep_order_payment
create trigger order_payments_come_with_drafts after insert on sales.order_payments
  for each row execute function sales.keep_order_payment();
