-- The bytes of a document that keys may read: so many from one of them on, the first being 0. Null of any other.
create or replace function api.read_document(p_id uuid, p_from integer, p_length integer) returns bytea
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_found record;
begin
  select * into v_found from api.find_document(p_id);
  return case
    when v_found.kind in ('order', 'refund') then (
      select substr(a.raw, p_from + 1, p_length) from intake.order_attempts a where a.id = p_id)
    when v_found.kind = 'e_invoice' then (
      select substr(e.raw, p_from + 1, p_length) from intake.e_invoices e where e.id = p_id)
    else (select substr(c.bytes, p_from + 1, p_length) from archive.contents c where c.sha256 = v_found.sha256) end;
end $$;
