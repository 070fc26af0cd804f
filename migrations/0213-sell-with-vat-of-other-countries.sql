-- Orders with the VAT of other EU countries, which is filed in the one stop shop, and orders in other currencies: taken by a
-- company that says so (order_oss_is_on). The books are in kronor as before; what the buyer sees is kept beside.
-- New columns without a rewrite; one look at all rows of invoices for the checks, and an index of what there is none of yet.
alter table restricted.company add column order_oss_is_on boolean not null default false;

-- Kronor for one of the currency, in millionths; what the total is rounded by in the currency, in hundredths of it.
alter table sales.invoices
  add column currency text not null default 'SEK',
  add column exchange_rate_e6 bigint,
  add column currency_rounding bigint not null default 0,
  add constraint invoices_currency_form check (currency ~ '^[A-Z]{3}$'),
  add constraint invoices_currency_has_its_rate check ((currency = 'SEK') = (exchange_rate_e6 is null)),
  add constraint invoices_exchange_rate_range check (exchange_rate_e6 between 1 and 9999999999999999),
  add constraint invoices_kronor_are_rounded_as_kronor check (currency <> 'SEK' or currency_rounding = 0),
  add constraint invoices_other_currency_is_of_orders check (currency = 'SEK' or source in ('order', 'app'));

-- Whose VAT the row bears when it is not Sweden's (XI: Northern Ireland), its rate in hundredths of a per cent, and whether it was
-- goods or services; what the row is in the invoice's own currency.
alter table sales.invoice_rows
  add column oss_country text,
  add column oss_rate_e2 integer,
  add column oss_supply text,
  add column currency_net bigint,
  add column currency_vat bigint,
  add constraint invoice_rows_oss_country_form check (oss_country ~ '^[A-Z]{2}$' and oss_country <> 'SE'),
  add constraint invoice_rows_oss_rate_range check (oss_rate_e2 between 101 and 5000),
  add constraint invoice_rows_oss_supply_known check (oss_supply in ('goods', 'services')),
  add constraint invoice_rows_oss_is_whole check (num_nulls(oss_country, oss_rate_e2, oss_supply) in (0, 3)),
  add constraint invoice_rows_bear_one_vat check (oss_country is null or vat_rate = 0),
  add constraint invoice_rows_currency_is_whole check ((currency_net is null) = (currency_vat is null));
create index invoice_rows_with_foreign_vat on sales.invoice_rows (invoice_id) where oss_country is not null;
