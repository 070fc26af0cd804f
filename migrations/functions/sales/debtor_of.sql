-- Whom an invoice is sent to, as it stands on the invoice: the customer register's own facts.
create or replace function sales.debtor_of(p_customer sales.customers) returns jsonb language sql stable as $$
  select jsonb_build_object('name', p_customer.name, 'email', p_customer.email,
    'orgNumber', p_customer.organization_number, 'vatNumber', p_customer.vat_number,
    'countryCode', p_customer.country_code, 'address', p_customer.address,
    'postalCode', p_customer.postal_code, 'city', p_customer.city, 'phone', p_customer.phone)
$$;
