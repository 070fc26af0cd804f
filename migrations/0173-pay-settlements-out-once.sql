-- A voucher is the payout of one settlement. One that was taken back has none: its payout may be that of the one that came
-- in its place. Takes a short lock on bank.provider_settlements, which is small.
-- functions: bank.guard_provider_settlement, bank.follow_corrections
update bank.provider_settlements set payout_voucher_id = null where payout_voucher_id is not null and taken_back_by is not null;
update bank.provider_settlements s set payout_voucher_id = null
where exists (select from bank.provider_settlements o where o.payout_voucher_id = s.payout_voucher_id and o.id < s.id);
drop index bank.provider_settlements_by_payout;
create unique index provider_settlements_payout_once on bank.provider_settlements (payout_voucher_id)
  where payout_voucher_id is not null;
