-- A person may write the invoice of a stopped order by hand; the order then has that invoice, and its
-- number can never become another. A check is replaced, which reads the few decisions there are.
alter table intake.order_decisions
  drop constraint order_decisions_decision_known,
  add constraint order_decisions_decision_known check (decision in ('retried', 'dismissed', 'invoiced'));
