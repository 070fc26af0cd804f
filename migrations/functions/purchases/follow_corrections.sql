-- Tax that a voucher had paid is to be paid again when it is taken back, unless what stands in its place pays it, or it has
-- been asked for again since.
create or replace function purchases.follow_corrections() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  update purchases.payouts p set voucher_id = null where p.voucher_id = new.corrected_id
    and exists (select from purchases.payout_parts t where t.payout_id = p.id and t.tax is not null)
    and not exists (select from purchases.payout_parts t join purchases.payout_parts o on o.tax = t.tax and o.is_live
      where t.payout_id = p.id);
  if found and new.replacement_id is not null then
    perform purchases.pay_taxes_by(array[new.replacement_id]);
  end if;
  return null;
end $$;
