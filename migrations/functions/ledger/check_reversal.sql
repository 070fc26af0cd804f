-- What takes a voucher back is its mirror: the same rows with the sides exchanged, and nothing else. What books an invoice, a
-- payment or a reminder's fee is taken back on the invoice, whose ledger would no longer be the books'. What stands in the place of
-- an imported settlement of VAT is in no box either, and so has no sale or purchase.
create or replace function ledger.check_reversal() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if (select v.source from ledger.vouchers v where v.id = new.reversal_id) is distinct from 'reversal'
    or exists (
      select from (select * from ledger.voucher_rows r where r.voucher_id = new.corrected_id) as wrong
      full join (select * from ledger.voucher_rows r where r.voucher_id = new.reversal_id) as back
        using (row_no)
      where (wrong.account, wrong.debit_ore, wrong.credit_ore, wrong.cost_center_id, wrong.project_id,
          wrong.vat_code)
        is distinct from
        (back.account, back.credit_ore, back.debit_ore, back.cost_center_id, back.project_id,
          back.vat_code)) then
    raise exception 'voucher % is not taken back by %', new.corrected_id, new.reversal_id
      using errcode = 'HB002', constraint = 'corrections_take_back';
  end if;
  if exists (select from sales.invoices i where i.voucher_id = new.corrected_id
    union all select from sales.payments p where p.voucher_id = new.corrected_id
    union all select from sales.reminders r where r.voucher_id = new.corrected_id
    union all select from sales.withdrawn_fees w where w.voucher_id = new.corrected_id
    union all select from purchases.invoices i where i.voucher_id = new.corrected_id
    union all select from purchases.payments p where p.voucher_id = new.corrected_id) then
    raise exception 'voucher % books what is taken back on its invoice', new.corrected_id
      using errcode = 'HB002', constraint = 'corrections_are_of_no_invoice';
  end if;
  if new.replacement_id is not null and ledger.has_base_of_vat(new.replacement_id)
      and exists (select from ledger.counted_elsewhere() e
        where e.voucher_id = new.replacement_id and e.why = 'imported_settlement') then
    raise exception 'voucher % stands in place of a settlement, and moves other than VAT', new.replacement_id
      using errcode = 'HB002', constraint = 'corrections_of_settlements_move_vat';
  end if;
  return null;
end $$;
