-- What a sender sends under an order's or a refund's number once that has become an invoice changes nothing of it. The
-- latest such content is kept, one an order, until a person has seen it: with what differs, for whoever decides what to
-- do about the invoice.
create table intake.changed_orders (
  order_id uuid not null,
  key_id uuid not null,
  request_id uuid not null,
  received_at timestamptz not null default now(),
  raw bytea not null,
  -- The top-level fields in which it is another than what the invoice was made of.
  fields text[] not null,
  seen_at timestamptz,
  seen_by text,
  constraint changed_orders_pkey primary key (order_id),
  constraint changed_orders_order_fkey foreign key (order_id) references intake.orders (id),
  constraint changed_orders_key_fkey foreign key (key_id) references restricted.api_keys (id),
  constraint changed_orders_differ check (cardinality(fields) between 1 and 50),
  constraint changed_orders_seen_is_whole check ((seen_at is null) = (seen_by is null))
);
create index changed_orders_unseen on intake.changed_orders (order_id) where seen_at is null;
alter table intake.changed_orders enable row level security;
create policy people_read on intake.changed_orders for select to hb_app using ((select app.may('read')));
