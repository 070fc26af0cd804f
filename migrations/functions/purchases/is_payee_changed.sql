-- Whether a payout goes to another account than that party was paid on the last time: by a file that was sent (one that
-- nobody has said yes to proves nothing), or before there was one, an account that the register has from before the first
-- payment: any later one may be where nobody has been paid yet, and another payment says nothing of it. Somebody who was
-- never paid has not changed; nor has Skatteverket.
create or replace function purchases.is_payee_changed(p_payout purchases.payouts) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case
    when p_payout.supplier_id is null and p_payout.laid_out_by is null then false
    else coalesce(
      (select (p.payee_kind, p.payee_number) is distinct from (p_payout.payee_kind, p_payout.payee_number)
        from purchases.payouts p join purchases.payment_files f on f.id = p.file_id
        where (p.supplier_id = p_payout.supplier_id or p.laid_out_by = p_payout.laid_out_by)
          and p.file_id <> p_payout.file_id and f.sent_at is not null and f.cancelled_at is null and p.refused_at is null
        order by f.number desc, p.place desc limit 1),
      (select not exists (select from purchases.supplier_accounts a
          where a.supplier_id = p_payout.supplier_id and a.kind = p_payout.payee_kind
            and a.number = p_payout.payee_number and a.created_at <= min(m.created_at))
        from purchases.payments m join purchases.invoices i on i.id = m.invoice_id
        where i.supplier_id = p_payout.supplier_id and m.kind = 'money' having count(*) > 0),
      false) end
$$;
