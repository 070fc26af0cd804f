-- A settlement whose voucher is taken back, with nothing in its place, may be sent anew, and its payout is then the new
-- one's; one whose payout is taken back waits for the bank again. Rows of the bank follow too: what stands in the place of
-- a voucher books them where it changes their account as that did, and otherwise they wait for a person again.
create or replace function bank.follow_corrections() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_row record;
begin
  if new.replacement_id is null then
    update bank.provider_settlements s set taken_back_by = new.reversal_id, payout_voucher_id = null where s.voucher_id = new.corrected_id;
  end if;
  update bank.provider_settlements s set payout_voucher_id = null where s.payout_voucher_id = new.corrected_id;
  -- Of most vouchers there are none: a whole import that is undone asks this of each.
  if not exists (select from bank.transactions t where t.voucher_id = new.corrected_id) then
    return null;
  end if;
  for v_row in
    with change as (
      select a.id as account_id, coalesce(sum(r.debit_ore - r.credit_ore) filter (where r.voucher_id = new.replacement_id), 0)
        = sum(r.debit_ore - r.credit_ore) filter (where r.voucher_id = new.corrected_id)
        and bool_or(r.voucher_id = new.replacement_id) as is_alike
      from ledger.voucher_rows r join bank.accounts a on a.ledger_account = r.account
      where r.voucher_id in (new.corrected_id, new.replacement_id) group by a.id
    )
    update bank.transactions t set
      voucher_id = case when c.is_alike then new.replacement_id end,
      matched_at = case when c.is_alike then now() end,
      matched_by = case when c.is_alike then new.created_by end,
      undone_at = case when c.is_alike then t.undone_at else now() end
    from change c where c.account_id = t.account_id and t.voucher_id = new.corrected_id
    returning t.id, t.voucher_id
  loop
    perform audit.record(new.created_by, case when v_row.voucher_id is null then 'bank.unmatched' else 'bank.matched' end,
      v_row.id::text, jsonb_build_object('voucher_id', coalesce(v_row.voucher_id, new.corrected_id)));
  end loop;
  return null;
end $$;
