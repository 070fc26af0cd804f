-- Tax that a sent file pays is paid when a voucher of somebody's own takes just that from the file's account to accounts
-- of tax and nothing else, within the days that a row of the bank may stand from its voucher. So are all of a day that the
-- bank may make as one. Where two fit equally well a person says.
create or replace function purchases.pay_taxes_by(p_voucher_ids uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_days constant integer := 14;
  v_paid record;
  v_ids uuid[];
  v_fits integer;
begin
  for v_paid in
    select v.id, v.verification_date as day, b.id as account_id, b.ledger_account,
      sum(r.credit_ore - r.debit_ore) filter (where r.account = b.ledger_account) as ore
    from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
    cross join bank.accounts b
    where v.id = any (p_voucher_ids) and v.source in ('app', 'api') and b.kind = 'bank'
    group by v.id, v.verification_date, b.id, b.ledger_account
    having bool_or(r.account = b.ledger_account)
      and bool_and(r.account in (b.ledger_account, 1630, 2650, 2710) or r.account between 2730 and 2739)
    order by v.verification_date, v.id
  loop
    with waiting as (
      select p.id, p.block_id, p.execution_on, p.amount_ore from purchases.payout_parts t
      join purchases.payouts p on p.id = t.payout_id join purchases.payment_files f on f.id = p.file_id
      where t.is_live and t.tax is not null and f.sent_at is not null and f.account_id = v_paid.account_id
        and p.execution_on between v_paid.day - c_days and v_paid.day + c_days
    ), asked as (
      select array[id] as ids, execution_on, amount_ore as ore from waiting
      union all select array_agg(id), execution_on, sum(amount_ore) from waiting
      group by block_id, execution_on having count(*) > 1
    ), fitting as (
      select ids, rank() over (order by abs(execution_on - v_paid.day)) as place from asked where ore = v_paid.ore
    )
    select min(ids), count(*) into v_ids, v_fits from fitting where place = 1;
    if v_fits = 1 then
      update purchases.payouts set voucher_id = v_paid.id where id = any (v_ids);
    end if;
  end loop;
end $$;
