-- Why a row may not stand on an account of this box of the VAT return (SKV 4700) for this buyer; null
-- when it may. An account outside the list is left to the one who chose it.
--   07          margin scheme: no VAT may be shown (ML 17 kap. 24 §)
--   35, 38      goods within the EU: a buyer registered for VAT in another EU country (ML 10 kap. 42 §)
--   39          services by the main rule: a business in another EU country (ML 6 kap. 34 §)
--   36, 40      outside the EU: a buyer who is in Sweden or the EU is a question, not a fault, as goods
--               may be sent elsewhere and some services belong where they are carried out
--   41          reverse charge in Sweden: a buyer registered for VAT here (ML 16 kap.)
-- An invoice where the buyer owes the VAT shows the buyer's VAT number (ML 17 kap. 24 §). That a number
-- is registered is for VIES to say. Northern Ireland (XI) is in the EU for goods, not for services; Åland
-- (AX) is outside. Countries and prefixes are those of src/domain/countries.ts; a test compares them.
create or replace function sales.vat_doubt(
  p_box text, p_vat_rate integer, p_country text, p_vat_number text
) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case
    when p_box = '07' then case when p_vat_rate <> 0 then 'margin_vat_shown' end
    when p_vat_rate <> 0 then null
    when p_box = '41' and prefix is distinct from 'SE' then 'swedish_vat_number_missing'
    when p_box = '39' and own_prefix is null then 'buyer_not_in_other_eu_country'
    when p_box in ('35', '38', '39') and (prefix is null or prefix = 'SE'
      or (prefix = 'XI' and p_box <> '35')) then 'eu_vat_number_missing'
    when p_box in ('35', '38', '39') and prefix is distinct from own_prefix
      then 'vat_number_of_other_country'
    when p_box in ('36', '40') and (country = 'SE' or own_prefix is not null)
      then 'buyer_not_outside_eu' end
  from (select coalesce(p_country, 'SE') as country,
    substring(p_vat_number from '^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|'
      || 'PT|RO|SE|SI|SK|XI)[A-Z0-9+*]{2,12}$') as prefix) as buyer
  cross join lateral (select case
      when country = 'GR' then 'EL'
      when country = 'MC' then 'FR'
      when country = 'XI' or (country = 'GB' and prefix = 'XI')
        then case when p_box in ('35', '36') then 'XI' end
      when country in ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'HR', 'HU',
        'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SI', 'SK') then country end
      as own_prefix) as place
$$;
