-- Only of imported vouchers does anybody say whether they settle VAT; ours say so by their origin. One that settles moves VAT, and
-- no sale or purchase, which would be left out with it. It counts in
-- no return: neither it, nor what takes it back or stands in its place, mends one.
create or replace function ledger.judge_settlement_judgement() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_own uuid[];
begin
  perform ledger.give_way_to_import();
  lock table ledger.series in exclusive mode;
  if tg_op = 'UPDATE'
    or not exists (select from ledger.vouchers v where v.id = new.voucher_id and v.source = 'import')
    or new.period_end is not null and ledger.vat_period_start(new.period_end) is null then
    raise exception 'voucher % is no imported settlement to %', new.voucher_id, new.period_end
      using errcode = 'HB002', constraint = 'settlement_judgements_are_of_imports';
  end if;
  if new.period_end is null then return new; end if;
  with recursive own as (
    select new.voucher_id as id
    union
    select part.id from own join ledger.corrections c on c.corrected_id = own.id
    cross join lateral (values (c.reversal_id), (c.replacement_id)) as part (id)
    where part.id is not null
  )
  select array_agg(own.id) into v_own from own;
  if not exists (select from ledger.voucher_rows r
        where r.voucher_id = new.voucher_id and ledger.is_vat_account(r.account))
      or exists (select from unnest(v_own) as own (id) where ledger.has_base_of_vat(own.id)) then
    raise exception 'voucher % moves other than VAT', new.voucher_id
      using errcode = 'HB002', constraint = 'settlement_judgements_move_vat';
  end if;
  if exists (select from ledger.vat_assignments a where a.voucher_id = any (v_own)) then
    raise exception 'voucher % mends a filed period', new.voucher_id
      using errcode = 'HB002', constraint = 'settlement_judgements_mend_nothing';
  end if;
  return new;
end $$;
