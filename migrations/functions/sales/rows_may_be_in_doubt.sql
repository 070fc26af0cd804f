-- Whether `sales.draft_problems` can have anything to say of these rows: nearly always not, and then this
-- one look is all.
create or replace function sales.rows_may_be_in_doubt(p_account integer[], p_vat_rate integer[]) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from unnest(p_account, p_vat_rate) as r (account, vat_rate)
    where not exists (select from ledger.accounts a where a.number = r.account and a.is_active
      and sales.is_sold_on(a.number, a.type) and r.vat_rate = coalesce(a.vat_rate, 0)
      and coalesce(a.vat_box, '') <> all ('{07,35,36,38,39,40,41}')))
$$;
