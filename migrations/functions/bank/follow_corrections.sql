-- A settlement whose voucher is taken back, with nothing in its place, may be sent anew, and its payout is then the new
-- one's; one whose payout is taken back waits for the bank again.
create or replace function bank.follow_corrections() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.replacement_id is null then
    update bank.provider_settlements s set taken_back_by = new.reversal_id, payout_voucher_id = null where s.voucher_id = new.corrected_id;
  end if;
  update bank.provider_settlements s set payout_voucher_id = null where s.payout_voucher_id = new.corrected_id;
  return null;
end $$;
