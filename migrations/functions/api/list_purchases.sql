-- GET /api/v1/inkop: what is null is not asked for. Who laid out the money of an outlay is not told to a key, nor
-- where it is paid to. Rows are those of what is booked: until then they are a proposal.
--   rows        [{row_no, account, debit_ore, credit_ore, note, cost_center, project}]
--   payments    [{id, date, amount_ore, kind, account, voucher_id}]
--   is_followed  there is more to read after this one
create or replace function api.list_purchases(
  p_ids uuid[], p_statuses text[], p_suppliers uuid[], p_numbers text[], p_updated_since timestamptz, p_after uuid,
  p_limit integer
) returns table (id uuid, kind text, status text, is_by_hand boolean, is_outlay boolean, is_opening boolean,
  supplier_id uuid, seller_name text, seller_org_number text, seller_vat_number text, invoice_number text,
  issue_date date, due_date date, booking_date date, currency text, net_ore bigint, vat_ore bigint, rounding_ore bigint,
  prepaid_ore bigint, payable_ore bigint, paid_ore bigint, open_ore bigint, is_prepayment boolean, rejection text,
  voucher_id uuid, created_at timestamptz, updated_at timestamptz, rows jsonb, payments jsonb, is_followed boolean)
-- Each combination of what is asked for is planned for itself.
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  perform api.require_key('data:read');
  return query
    with found as materialized (
      select i.* from purchases.invoices i
      where (p_ids is null or i.id = any (p_ids))
        and (p_statuses is null or i.status = any (p_statuses))
        and (p_suppliers is null or i.supplier_id = any (p_suppliers))
        and (p_numbers is null or i.invoice_number = any (p_numbers))
        and (p_updated_since is null or i.updated_at >= p_updated_since)
        and (p_after is null or i.id > p_after)
      order by i.id limit p_limit + 1
    ), sized as (
      select f.id, row_number() over (order by f.id) as place, count(*) over () as all_found,
        sum(s.size) over (order by f.id) - s.size as before
      from found f cross join lateral (select
          (select count(*) from purchases.invoice_rows r where r.invoice_id = f.id)
          + (select count(*) from purchases.payments p where p.invoice_id = f.id) as size) as s
    )
    select f.id, f.kind, f.status, f.is_by_hand, f.laid_out_by is not null,
      f.document_id is null and not f.is_by_hand, f.supplier_id, f.seller ->> 'name',
      f.seller ->> 'organizationNumber', f.seller ->> 'vatNumber', f.invoice_number, f.issue_date, f.due_date,
      f.booking_date, f.currency, f.net_ore, f.vat_ore, f.rounding_ore, f.prepaid_ore, f.payable_ore,
      (select coalesce(sum(p.amount_ore), 0)::bigint from purchases.payments p where p.invoice_id = f.id),
      f.open_ore, f.is_prepayment, f.rejection, f.voucher_id, f.created_at, f.updated_at,
      (select coalesce(jsonb_agg(jsonb_build_object('row_no', r.row_no, 'account', r.account,
          'debit_ore', r.debit_ore, 'credit_ore', r.credit_ore, 'note', r.note, 'cost_center', r.cost_center_id,
          'project', r.project_id) order by r.row_no), '[]')
        from purchases.invoice_rows r where r.invoice_id = f.id and f.status = 'booked'),
      (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'date', p.paid_on, 'amount_ore', p.amount_ore,
          'kind', p.kind, 'account', p.account, 'voucher_id', p.voucher_id) order by p.paid_on, p.id), '[]')
        from purchases.payments p where p.invoice_id = f.id),
      s.place < s.all_found
    from found f join sized s on s.id = f.id
    where s.place <= p_limit and (s.place = 1 or s.before < 5000)
    order by f.id;
end $$;
