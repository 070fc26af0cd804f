-- What a return of the period tells, by account, VAT code and box (credit less debit): what is in the books; once it is filed,
-- what was filed and what has been assigned to it since, and nothing else that anybody has posted into it.
create or replace function ledger.vat_return_parts(p_start date, p_end date)
returns table (account integer, vat_code text, box text, ore bigint)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with latest as (
    select r.parts from ledger.vat_returns r
    where r.period_end = p_end and r.withdrawn_at is null order by r.number desc limit 1
  ), told as (
    select p.account, p.vat_code, p.box, p.ore
    from latest l cross join lateral jsonb_to_recordset(l.parts) as p (account integer, vat_code text, box text, ore bigint)
    union all
    select r.account, r.vat_code, b.box, r.credit_ore - r.debit_ore
    from ledger.vat_assignments a join ledger.voucher_rows r on r.voucher_id = a.voucher_id
    cross join lateral ledger.vat_box(r.account, r.vat_code) as b
    where exists (select from latest) and a.period_end = p_end and a.return_number is null
    union all
    select s.account, s.vat_code, s.box, s.credit_ore - s.debit_ore
    from ledger.vat_sums(p_start, p_end) s where not exists (select from latest)
    union all
    -- Filed before returns were frozen: less what came after.
    select r.account, r.vat_code, b.box, r.debit_ore - r.credit_ore
    from ledger.late_vat_vouchers(p_end) late join ledger.voucher_rows r on r.voucher_id = late.voucher_id
    cross join lateral ledger.vat_box(r.account, r.vat_code) as b
    where not exists (select from latest)
  )
  select t.account, t.vat_code, t.box, sum(t.ore)::bigint from told t
  where t.box is not null
  group by t.account, t.vat_code, t.box having sum(t.ore) <> 0
$$;
