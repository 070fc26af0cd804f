-- GET /api/v1/oss: sales.oss_sales of the days, and what has been posted on 2670 in them (credit less debit).
create or replace function api.list_oss_sales(p_from date, p_to date)
returns table (posted_ore bigint, sales jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('data:read');
  return query select
    (select coalesce(sum(r.credit_ore - r.debit_ore), 0)::bigint from ledger.voucher_rows r
      where r.account = 2670 and r.verification_date between p_from and p_to),
    (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from sales.oss_sales(p_from, p_to) as s);
end $$;
