-- At the commit, and again of each part that comes after that was asked early: what is paid is the sum of its parts, all of
-- them of whom the payout is to.
create or replace function purchases.require_whole_payout() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id constant uuid := coalesce(to_jsonb(new) ->> 'payout_id', to_jsonb(new) ->> 'id');
begin
  if exists (select from purchases.payouts p where p.id = v_id and (
      p.amount_ore <> (select coalesce(sum(t.amount_ore), 0) from purchases.payout_parts t where t.payout_id = p.id)
      or exists (select from purchases.payout_parts t left join purchases.invoices i on i.id = t.invoice_id
        where t.payout_id = p.id and (i.supplier_id is distinct from p.supplier_id
          or i.laid_out_by is distinct from p.laid_out_by)))) then
    raise exception 'a payout is the sum of its parts'
      using errcode = 'HB002', constraint = 'payouts_are_their_parts';
  end if;
  return null;
end $$;
