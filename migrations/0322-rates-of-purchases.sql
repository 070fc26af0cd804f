-- A supplier's invoice in another currency is booked in kronor at one rate: kronor for one of the currency, in millionths.
-- What was coded by hand in kronor has none.
alter table purchases.invoices add column exchange_rate_e6 bigint,
  add constraint invoices_exchange_rate_range check (exchange_rate_e6 between 1 and 9999999999999999),
  add constraint invoices_kronor_have_no_rate check (currency <> 'SEK' or exchange_rate_e6 is null);
