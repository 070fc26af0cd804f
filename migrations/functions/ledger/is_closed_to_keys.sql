-- Whether the documents of a voucher are out of the reach of every key: those of staff, and those that people hold back.
create or replace function ledger.is_closed_to_keys(p_voucher uuid) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from ledger.withheld_vouchers w where w.voucher_id = p_voucher)
    or exists (select from ledger.voucher_rows r
      where r.voucher_id = p_voucher and ledger.is_personnel_account(r.account))
$$;
