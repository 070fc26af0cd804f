-- What `meta` tells of the installation beyond the tables a key may read.
create or replace function api.installation()
returns table (schema_version integer, vat_period text, vat_large_taxpayer boolean, vat_yearly text,
  vat_digital boolean, vouchers bigint, head_hash bytea)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform api.require_key();
  return query
    select (select max(substr(name, 1, 4))::integer from migration.applied), c.vat_period, c.vat_large_taxpayer,
      c.vat_yearly, c.vat_digital, h.vouchers, h.hash
    from restricted.company c cross join ledger.head() h;
end $$;
