-- What other systems call customers, suppliers, articles and dimensions: no two of one register are called alike.
alter table sales.customers add column external_id text,
  add constraint customers_external_id_key unique (external_id),
  add constraint customers_external_id_length check (char_length(external_id) between 1 and 255);
alter table purchases.suppliers add column external_id text,
  add constraint suppliers_external_id_key unique (external_id),
  add constraint suppliers_external_id_length check (char_length(external_id) between 1 and 255);
alter table sales.articles add column external_id text,
  add constraint articles_external_id_key unique (external_id),
  add constraint articles_external_id_length check (char_length(external_id) between 1 and 255);
alter table ledger.dimensions add column external_id text,
  add constraint dimensions_external_id_key unique (external_id),
  add constraint dimensions_external_id_length check (char_length(external_id) between 1 and 255);
-- Followed by ones whose last parameter may be left out, so programs of before call them as they did.
drop function if exists api.list_customers(uuid[], timestamptz, boolean, uuid, integer);
drop function if exists api.list_suppliers(uuid[], timestamptz, boolean, uuid, integer);
drop function if exists api.list_articles(text[], timestamptz, boolean, text, integer);
drop function if exists api.list_dimensions(uuid[], timestamptz, boolean, uuid, integer);
drop function if exists api.list_invoices(uuid[], text[], uuid[], text[], timestamptz, uuid, integer);
