-- The first day from p_from on which no lock stops a voucher.
create or replace function ledger.earliest_open_date(p_from date, p_touches_vat boolean)
returns date language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  v_day date;
  v_end date;
begin
  select greatest(p_from, period_locked_to + 1, case when p_touches_vat then vat_locked_to + 1 end)
  into v_day from ledger.locks;
  loop
    select end_date into v_end from ledger.fiscal_years
    where status = 'closed' and v_day between start_date and end_date;
    if not found then return v_day; end if;
    v_day := v_end + 1;
  end loop;
end $$;
