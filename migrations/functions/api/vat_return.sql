-- A VAT period as a return of it would tell now, and whether it is filed: for keys that read vouchers.
--   parts  [{box, ore}]: credit less debit
create or replace function api.vat_return(p_start date, p_end date)
returns table (filed_on date, parts jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return query
    select (select f.filed_on from ledger.vat_filings f where f.period_end = p_end),
      (select coalesce(jsonb_agg(jsonb_build_object('box', p.box, 'ore', p.ore)), '[]')
        from ledger.vat_return_parts(p_start, p_end) p where p.box is not null);
end $$;
