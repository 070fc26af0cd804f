-- Whether the voucher has a row that counts in a box by its VAT code, as a sale or a purchase does; öre that are rounded off aside.
create or replace function ledger.has_base_of_vat(p_voucher_id uuid) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from ledger.voucher_rows r cross join lateral ledger.vat_box(r.account, r.vat_code) as b
    where r.voucher_id = p_voucher_id and r.account not between 2610 and 2650 and r.account not between 3740 and 3749)
$$;
