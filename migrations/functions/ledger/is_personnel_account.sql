-- Accounts of staff in BAS: costs of staff (70–76), claims on employees (161), provisions for pensions (221, 223), taxes,
-- contributions and deductions of staff (27), debts to employees (282), and accrued pay, holidays, pensions and contributions
-- (291–295). What documents a voucher with a row on any of them is of staff, and for people alone (contract 5).
create or replace function ledger.is_personnel_account(p_account integer) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select p_account between 7000 and 7699
    or p_account between 2700 and 2799
    or p_account / 10 in (161, 221, 223, 282, 291, 292, 293, 294, 295)
$$;
