-- Empties books that hold nothing but imported vouchers and what took them back, so that the company can begin
-- anew: every number from 1 again. Only an owner, who writes the company's name. The chart, registers and the audit
-- log stay, and so do the files and their reports. The years that imports made go. Done twice, the second time
-- finds nothing to do.
create or replace function ledger.begin_anew(p_company text, p_actor text)
returns table (vouchers bigint, imports bigint, years integer[])
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_problem jsonb;
  v_key record;
  v_made_again text[] := '{}';
begin
  perform restricted.require_up_to_date();
  if session_user = 'hb_app' and not app.may('own') then
    raise exception 'only an owner begins the books anew' using errcode = 'HB405';
  end if;
  if not exists (select from restricted.company c where c.name = p_company) then
    raise exception 'the company is called otherwise' using errcode = 'HB002', constraint = 'anew_is_confirmed';
  end if;
  -- Whoever posts has come first, or waits; nobody imports.
  if not ledger.begin_import() then
    raise exception 'somebody fills the books' using errcode = '55P03';
  end if;
  lock table ledger.series, ledger.vouchers in share row exclusive mode;
  v_problem := ledger.anew_problem();
  if v_problem is not null then
    raise exception 'the books stay: %', v_problem ->> 'reason'
      using errcode = 'HB002', constraint = 'anew_only_of_imports', detail = v_problem::text;
  end if;
  select count(*) into vouchers from ledger.vouchers;
  select count(*) into imports from ledger.imports i where i.emptied_at is null;
  select coalesce(array_agg(y.year order by y.year), '{}') into years
  from ledger.fiscal_years y
  where exists (select from ledger.imports i
      cross join lateral jsonb_array_elements(i.report -> 'new_years') as made
      where i.emptied_at is null and (made ->> 'start')::date = y.start_date)
    -- A company has a year.
    and exists (select from ledger.fiscal_years other where other.id <> y.id
      and not exists (select from ledger.imports i
        cross join lateral jsonb_array_elements(i.report -> 'new_years') as made
        where i.emptied_at is null and (made ->> 'start')::date = other.start_date));
  return next;
  if imports = 0 then return; end if;

  -- Nobody removes a voucher; this takes all of them away, and holds the tables until it has.
  alter table ledger.imported_vouchers disable trigger imported_vouchers_are_immutable;
  alter table ledger.corrections disable trigger corrections_are_immutable;
  alter table ledger.voucher_rows disable trigger voucher_rows_are_immutable;
  alter table ledger.vouchers disable trigger vouchers_are_immutable;
  alter table ledger.settlement_judgements disable trigger changes_are_written_down;
  alter table ledger.vat_assignments disable trigger changes_are_written_down;
  delete from ledger.settlement_judgements;
  delete from ledger.vat_assignments;
  alter table ledger.settlement_judgements enable trigger changes_are_written_down;
  alter table ledger.vat_assignments enable trigger changes_are_written_down;
  alter table ledger.withheld_vouchers disable trigger user;
  delete from ledger.withheld_vouchers;
  alter table ledger.withheld_vouchers enable trigger user;
  delete from ledger.pairings;
  update ledger.accruals a set origin_voucher_id = null where a.origin_voucher_id is not null;
  delete from ledger.imported_vouchers;
  delete from ledger.corrections;
  delete from ledger.voucher_rows;
  -- Nobody is told any more of vouchers that are not there; places in the feed go on.
  perform events.keep_last_place();
  delete from events.deliveries d where d.type = 'voucher.posted' and d.state <> 'delivered';
  delete from events.outbox o where o.type = 'voucher.posted';
  -- Whoever has a copy of them is told that all are gone.
  with gone as (insert into events.removals (list) values ('verifikat') returning id)
  insert into events.outbox (type, subject) select 'record.removed', g.id from gone g;
  -- Whoever may refer to a voucher would be asked once for each, and nobody does: nine tenths of the time. The keys
  -- are away for as long as that takes, and made again, on what is there then, before anybody sees it.
  for v_key in
    select c.conrelid::regclass::text as at, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as means
    from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'ledger.vouchers'::regclass and c.conparentid = 0
    order by 1, 2
  loop
    v_made_again := v_made_again
      || format('alter table %s add constraint %s %s', v_key.at, v_key.name, v_key.means);
    execute format('alter table %s drop constraint %s', v_key.at, v_key.name);
  end loop;
  delete from ledger.held_documents;
  delete from ledger.vouchers;
  for v_key in select unnest(v_made_again) as command loop
    execute v_key.command;
  end loop;
  alter table ledger.imported_vouchers enable trigger imported_vouchers_are_immutable;
  alter table ledger.corrections enable trigger corrections_are_immutable;
  alter table ledger.voucher_rows enable trigger voucher_rows_are_immutable;
  alter table ledger.vouchers enable trigger vouchers_are_immutable;
  delete from ledger.month_balances;
  delete from ledger.month_totals;
  delete from ledger.day_revenues;
  delete from ledger.supplier_costs;
  delete from ledger.documented_vouchers;
  update ledger.series s set last_number = 0, last_hash = ledger.first_hash(s.id);
  delete from ledger.series s using ledger.fiscal_years y
  where y.id = s.fiscal_year_id and y.year = any (years);
  delete from ledger.fiscal_years y where y.year = any (years);

  perform audit.record(p_actor, 'sie.import_undone', i.id::text, jsonb_build_object('file_name', i.file_name,
    'vouchers', (i.report ->> 'vouchers')::integer)) from ledger.imports i where i.undone_at is null;
  update ledger.imports i set undone_at = coalesce(i.undone_at, now()), emptied_at = now()
  where i.emptied_at is null;
  perform audit.record(p_actor, 'books.begun_anew', p_company,
    jsonb_build_object('vouchers', vouchers, 'imports', imports, 'years', years));
end $$;
