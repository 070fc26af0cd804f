-- **Suppliers**: what each of them sells, goods or services, and the Swedish rate of it, for purchases on
-- which the buyer owes the VAT. Two columns, one function replaced, and drafts of foreign sellers sent to
-- review; nothing that anybody waits for.

alter table purchases.suppliers
  -- Null until somebody has said: then such a purchase is looked at before it is booked.
  add column supply text,
  -- Per cent; 0 when what it sells is exempt in Sweden too.
  add column reverse_charge_rate integer not null default 25,
  add constraint suppliers_supply_known check (supply in ('goods', 'services')),
  add constraint suppliers_reverse_charge_rate_known check (reverse_charge_rate in (25, 12, 6, 0));

-- As before (0011), but of a reverse charge the account that the cost stands on: neither the contra
-- account nor the base account against it.
create or replace function purchases.usual_accounts(p_suppliers uuid[])
returns table (supplier_id uuid, account integer)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select s.id, coalesce(s.account, latest.account)
  from purchases.suppliers s
  left join lateral (
    select r.account from purchases.invoices i
    join purchases.invoice_rows r on r.invoice_id = i.id
    left join ledger.accounts a on a.number = r.account
    where i.supplier_id = s.id and i.status = 'booked'
      and (r.account < 2000 or r.account >= 3000) and r.account not in (1480, 3740, 4598)
      and (a.vat_box is null or not exists (select from purchases.invoice_rows c
        where c.invoice_id = i.id and c.account = 4598))
    order by i.decided_at desc, r.debit_ore + r.credit_ore desc limit 1) as latest on true
  where s.id = any (p_suppliers)
$$;

-- What foreign sellers' invoices were suggested on before, and nobody has booked, is looked at by a person:
-- it may lack the VAT that the company owes.
update purchases.invoices i set status = 'review', warnings = i.warnings || jsonb_build_array(
  jsonb_build_object('rule', 'HB-REVERSE-CHARGE', 'level', 'warning', 'path', '', 'message',
    'Raderna föreslogs innan moms på inköp från utlandet räknades; föreslå dem på nytt före bokföring.'))
where i.status = 'new'
  and coalesce(left(i.seller ->> 'vatNumber', 2), i.seller ->> 'countryCode') <> 'SE';
