-- **Prepayment invoices** (386) and the final invoices that deduct them: two columns on the purchases, and
-- an index. No rewrite.

alter table purchases.invoices
  add column is_prepayment boolean not null default false,
  -- Of a final invoice: the prepayment invoices whose rows it takes back.
  add column prepayment_ids uuid[] not null default '{}';
create index invoices_settling on purchases.invoices using gin (prepayment_ids)
  where prepayment_ids <> '{}';
create index invoices_prepaid on purchases.invoices (supplier_id) where is_prepayment;
