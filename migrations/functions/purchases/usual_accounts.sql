-- What a booked invoice was, as a supplier's history tells where its next one goes. Of a reverse charge it
-- is the account that the cost stands on: neither the contra account nor the base account against it. Its latest
-- invoices are looked through one by one, by invoices_booked_by_supplier: all of them may be a hundred thousand.
create or replace function purchases.usual_accounts(p_suppliers uuid[])
returns table (supplier_id uuid, account integer)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select s.id, coalesce(s.account, (
    select largest.account from purchases.invoices i
    cross join lateral (
      select r.account from purchases.invoice_rows r left join ledger.accounts a on a.number = r.account
      where r.invoice_id = i.id
        and (r.account < 2000 or r.account >= 3000) and r.account not in (1480, 3740, 4598)
        and (a.vat_box is null or not exists (select from purchases.invoice_rows c
          where c.invoice_id = i.id and c.account = 4598))
      order by r.debit_ore + r.credit_ore desc, r.row_no limit 1) as largest
    where i.supplier_id = s.id and i.status = 'booked'
    order by i.decided_at desc, i.id desc limit 1))
  from purchases.suppliers s
  where s.id = any (p_suppliers)
$$;
