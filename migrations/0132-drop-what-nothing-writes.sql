-- What only books of before the baseline had: orders kept under two spellings of their number, and secrets in
-- clear text on their way to be sealed.
-- functions: api.order_outcomes, api.reconcile_orders, app.clear_second_factor

alter table intake.orders drop column same_as;
drop table restricted.clear_secrets;
