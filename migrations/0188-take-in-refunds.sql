-- Shops send refunds of their orders: one inbox for what shops send, each thing known by its own number, kept as it
-- came and judged by the same worker. A refund becomes a credit note; the number that its shop gave it credits once.
-- functions: intake.wake_refunds, events.note_received_orders, events.note_rejected_order
alter table intake.orders
  add column kind text not null default 'order',
  add column refund_key text,
  add column order_identity text,
  add constraint orders_kind_known check (kind in ('order', 'refund')),
  add constraint orders_kind_is_of_identity check ((kind = 'refund') = (identity like 'refund%')),
  add constraint orders_refund_names_its_order
    check ((refund_key is null) = (order_identity is null) and (kind = 'refund' or refund_key is null)),
  add constraint orders_refund_key_length check (char_length(refund_key) between 1 and 255);
create unique index orders_refunded_once on intake.orders (refund_key)
  where refund_key is not null and invoice_id is not null;
create index orders_waiting_refunds on intake.orders (order_identity)
  where order_identity is not null and invoice_id is null;
create index orders_refunds on intake.orders (id) where kind = 'refund';
-- What a refund by amount takes off a row's price gives no quantity back. Null, as programs of before leave it, is no.
alter table sales.invoice_rows add column is_price_reduction boolean;
create trigger invoices_wake_refunds after update on sales.invoices
  referencing old table as before new table as after
  for each statement execute function intake.wake_refunds();
