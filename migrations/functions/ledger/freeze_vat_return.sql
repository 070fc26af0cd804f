-- Whoever files a return, what it tells is what the books hold at that moment, or what was filed and what mends it: nobody
-- says it. Postings in flight come before it. The first return of a period files it and locks its VAT
-- (ledger.lock_filed_vat); a later one has something to mend.
create or replace function ledger.freeze_vat_return() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform ledger.give_way_to_import();
  lock table ledger.series in exclusive mode;
  new.filed_by := audit.actor(new.filed_by);
  new.filed_at := clock_timestamp();
  new.withdrawn_at := null;
  new.withdrawn_by := null;
  select o.organization_number into new.organization_number from restricted.company o;
  select coalesce(max(r.number), 0) + 1 into new.number from ledger.vat_returns r where r.period_end = new.period_end;
  if exists (select from ledger.vat_filings f where f.period_end = new.period_end) then
    select f.period_start into new.period_start from ledger.vat_filings f where f.period_end = new.period_end;
    if not exists (select from ledger.vat_assignments a
        where a.period_end = new.period_end and a.return_number is null) then
      raise exception 'the return of % is filed already, and nothing mends it', new.period_end
        using errcode = 'HB002', constraint = 'vat_returns_mend';
    end if;
    if exists (select from ledger.vat_returns r
        where r.period_end = new.period_end and r.withdrawn_at is null and r.filed_on > new.filed_on) then
      raise exception 'the return that this one mends was filed later than %', new.filed_on
        using errcode = 'HB002', constraint = 'vat_returns_in_turn';
    end if;
  else
    -- At that moment, and not when the transaction began: what has been posted since is in the return.
    insert into ledger.vat_filings (period_start, period_end, filed_on, filed_by, filed_at)
    values (new.period_start, new.period_end, new.filed_on, new.filed_by, new.filed_at);
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('account', p.account, 'vat_code', p.vat_code, 'box', p.box, 'ore', p.ore)
    order by p.box, p.account, p.vat_code), '[]') into new.parts
  from ledger.vat_return_parts(new.period_start, new.period_end) p;
  return new;
end $$;
