-- The OCR reference of an invoice: its number, a length digit (whole length modulo 10, both control
-- digits counted) and a Luhn digit. This form passes every check level Bankgirot offers, soft, hard
-- and with variable length, so the owner need not say which one the bank agreement has.
create or replace function sales.ocr_for(p_number integer) returns text language plpgsql immutable strict
set search_path = pg_catalog, pg_temp as $$
declare
  v_digits text := p_number || ((length(p_number::text) + 2) % 10)::text;
  v_sum integer := 0;
  v_double integer;
begin
  for i in 1..length(v_digits) loop
    -- The digit beside the control digit is doubled, and every second one from there.
    v_double := substr(v_digits, length(v_digits) + 1 - i, 1)::integer * (1 + i % 2);
    v_sum := v_sum + v_double / 10 + v_double % 10;
  end loop;
  return v_digits || (10 - v_sum % 10) % 10;
end $$;
