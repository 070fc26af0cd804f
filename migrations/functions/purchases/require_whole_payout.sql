-- At the commit: what is paid is the sum of its parts, all of them of whom the payout is to.
create or replace function purchases.require_whole_payout() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.amount_ore <> (select coalesce(sum(t.amount_ore), 0) from purchases.payout_parts t where t.payout_id = new.id)
    or exists (select from purchases.payout_parts t left join purchases.invoices i on i.id = t.invoice_id
      where t.payout_id = new.id and (i.supplier_id is distinct from new.supplier_id
        or i.laid_out_by is distinct from new.laid_out_by)) then
    raise exception 'a payout is the sum of its parts'
      using errcode = 'HB002', constraint = 'payouts_are_their_parts';
  end if;
  return null;
end $$;
