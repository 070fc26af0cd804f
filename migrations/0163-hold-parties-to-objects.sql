-- Who an invoice is to and from, and what was found of it, is of the kind of JSON that every page reads: a null of JSON's
-- own, written by SQL, was a page that fell for everybody. Reads both tables once under a short lock.
alter table sales.invoices add constraint invoices_debtor_is_an_object check (jsonb_typeof(debtor) = 'object');
alter table purchases.invoices add constraint invoices_seller_is_an_object check (jsonb_typeof(seller) = 'object');
alter table purchases.invoices add constraint invoices_warnings_are_a_list check (jsonb_typeof(warnings) = 'array');
