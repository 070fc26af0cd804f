-- What mends a filed period touches VAT and stands after it, in days whose own return is not filed, or was posted into it
-- after it was filed. Once a return tells of it, it stays; and so it does when its own days have been filed without it.
create or replace function ledger.judge_vat_assignment() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_voucher ledger.vouchers;
  v_filing ledger.vat_filings;
  v_own ledger.vat_filings;
begin
  perform ledger.give_way_to_import();
  lock table ledger.series in exclusive mode;
  select v.* into v_voucher from ledger.vouchers v where v.id = coalesce(new.voucher_id, old.voucher_id);
  select f.* into v_own from ledger.vat_filings f
  where v_voucher.verification_date between f.period_start and f.period_end;
  if tg_op = 'DELETE' then
    if old.return_number is not null or v_own.period_end <> old.period_end then
      raise exception 'a return tells of voucher % already', old.voucher_id
        using errcode = 'HB002', constraint = 'vat_assignments_stay';
    end if;
    return old;
  end if;
  new.return_number := null;
  select f.* into v_filing from ledger.vat_filings f where f.period_end = new.period_end;
  if v_filing.period_end is null or v_voucher.id is null
    or exists (select from ledger.counted_elsewhere() e where e.voucher_id = new.voucher_id and e.why <> 'assigned')
    or not exists (select from ledger.voucher_rows r cross join lateral ledger.vat_box(r.account, r.vat_code)
      where r.voucher_id = new.voucher_id)
    or not (v_own.period_end is null and v_voucher.verification_date > v_filing.period_end
      or v_own.period_end is not distinct from new.period_end and v_voucher.posted_at > v_filing.filed_at) then
    raise exception 'voucher % does not mend the VAT to %', new.voucher_id, new.period_end
      using errcode = 'HB002', constraint = 'vat_assignments_mend';
  end if;
  return new;
end $$;
