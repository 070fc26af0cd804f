-- Only of imported vouchers does anybody say whether they settle VAT; ours say so by their origin.
create or replace function ledger.judge_settlement_judgement() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE'
    or not exists (select from ledger.vouchers v where v.id = new.voucher_id and v.source = 'import')
    or new.period_end is not null and ledger.vat_period_start(new.period_end) is null then
    raise exception 'voucher % is no imported settlement to %', new.voucher_id, new.period_end
      using errcode = 'HB002', constraint = 'settlement_judgements_are_of_imports';
  end if;
  return new;
end $$;
