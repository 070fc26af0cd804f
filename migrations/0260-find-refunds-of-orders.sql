-- An order's page finds its refunds.
create index orders_refunded on intake.orders (order_identity) where order_identity is not null;
