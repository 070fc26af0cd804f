-- What the bytes of a file ask the bank for, an order each, as src/domain/purchases/payables/pain001.ts writes them; null of
-- bytes that could be read otherwise: another encoding, comments, entities or prefixes of names.
create or replace function purchases.orders_in(p_content bytea) returns text[]
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  v_text constant text := regexp_replace(convert_from(p_content, 'UTF8'), '>[[:space:]]+<', '><', 'g');
  v_orders constant text[] := (string_to_array(v_text, '<CdtTrfTxInf>'))[2:];
begin
  if regexp_replace(v_text, '^<[?]xml version="1[.]0" encoding="UTF-8"[?]>', '') ~ '<[!?]|&(?!(amp|lt|gt);)|</?[^[:space:]>/]*:'
    or cardinality(string_to_array(v_text, 'CdtTrfTxInf')) <> 2 * cardinality(v_orders) + 1 then
    return null;
  end if;
  return v_orders;
end $$;
