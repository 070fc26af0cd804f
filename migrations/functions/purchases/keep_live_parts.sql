-- What the bank may still pay: of a file that is not cancelled, by a payout that it has neither refused nor made.
create or replace function purchases.keep_live_parts() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  update purchases.payout_parts t set is_live = live.is_so
  from (select p.id, f.cancelled_at is null and p.refused_at is null and p.voucher_id is null as is_so
      from purchases.payouts p join purchases.payment_files f on f.id = p.file_id
      where new.id in (p.id, f.id)) as live
  where t.payout_id = live.id and t.is_live <> live.is_so;
  return null;
end $$;
