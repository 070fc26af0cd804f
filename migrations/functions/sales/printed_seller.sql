-- The company as it stands on its invoices; null before there is one.
create or replace function sales.printed_seller() returns jsonb language sql stable
set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('name', c.name, 'orgNumber', c.organization_number, 'vatNumber', c.vat_number,
    'isApprovedForFTax', c.is_approved_for_f_tax, 'address', c.address, 'postalCode', c.postal_code,
    'city', c.city, 'seat', c.seat, 'email', c.email, 'phone', c.phone, 'bankgiro', c.bankgiro,
    'plusgiro', c.plusgiro, 'iban', c.iban, 'swish', c.swish)
  from restricted.company c
$$;
