-- What has been taken over is part of a balance: the items, on whichever side, never come to more than stands on
-- the account when the books begin, or on what it brought when the company moved in (sales.moved_balance).
create or replace function sales.judge_opening_items(p_account integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_balance bigint;
  v_items bigint;
begin
  v_balance := coalesce(sales.moved_balance(p_account),
    (select coalesce(sum(r.debit_ore - r.credit_ore), 0)
      from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
      where v.source = 'opening' and r.account = p_account
        and v.verification_date = (select min(y.start_date) from ledger.fiscal_years y)));
  if p_account = 1510 then
    select coalesce(sum(i.total_ore), 0) into v_items from sales.invoices i where i.source = 'opening';
  else
    v_balance := -v_balance;
    select coalesce(sum(i.payable_ore), 0) into v_items from purchases.invoices i
    where i.document_id is null and not i.is_by_hand;
  end if;
  if v_items > v_balance then
    raise exception 'the items come to %, the balance of % to %', v_items, p_account, v_balance
      using errcode = 'HB002', constraint = 'opening_items_are_within_the_balance';
  end if;
end $$;
