-- What an order's buyer has paid, as its shop says, and what a refund has paid back: settles the invoice as it is booked.
-- Which account each means comes through is the company's to say; what a tip is owed to others on is that of `tip`.
-- functions: sales.settle_as_ordered, sales.keep_order_payment
alter table restricted.company add column order_payment_accounts text[] not null
  default '{card 1686,klarna 1686,paypal 1686,swish 1930,bank 1930,cash 1910,gift_card 2421,tip 2890}';
create table sales.order_payments (
  invoice_id uuid not null,
  place integer not null,
  method text not null,
  account integer not null,
  amount_ore bigint not null,
  tip_ore bigint not null default 0,
  tip_account integer,
  payment_date date not null,
  reference text,
  voucher_id uuid,
  refusal jsonb,
  constraint order_payments_pkey primary key (invoice_id, place),
  constraint order_payments_invoice_fkey foreign key (invoice_id) references sales.invoices (id) on delete cascade,
  constraint order_payments_account_fkey foreign key (account) references ledger.accounts (number),
  constraint order_payments_tip_account_fkey foreign key (tip_account) references ledger.accounts (number),
  constraint order_payments_voucher_fkey foreign key (voucher_id) references ledger.vouchers (id),
  constraint order_payments_method_length check (char_length(method) between 1 and 50),
  constraint order_payments_reference_length check (char_length(reference) between 1 and 200),
  constraint order_payments_amount_range check (amount_ore between 1 and 999999999999),
  constraint order_payments_tip_within check (tip_ore >= 0 and tip_ore <= amount_ore and (tip_ore = 0 or tip_account is not null)),
  constraint order_payments_settled_or_refused check (voucher_id is null or refusal is null)
);
create trigger order_payments_are_kept before update or delete on sales.order_payments
  for each row execute function sales.keep_order_payment();
create trigger order_payments_are_never_emptied before truncate on sales.order_payments
  for each statement execute function sales.keep_order_payment();
alter table sales.order_payments enable row level security;
create policy people_read on sales.order_payments for select to hb_app using ((select app.may('read')));
create policy workers_work on sales.order_payments to hb_worker using (true);
