-- What remains of booked invoices and what that makes them, from what has happened to each:
--   credited  all of it was credited, and nothing remains
--   paid      nothing remains: by payments or part credits, or because it is on zero kronor
--   booked    something remains: of what is credited too, a reminder's fee or money that was paid back and never came
create or replace function sales.settle(p_invoice_ids uuid[]) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_faulty uuid;
begin
  -- Whoever settles holds the invoice, so that two of them do not each overlook the other's.
  perform from sales.invoices where id = any (p_invoice_ids) order by id for update;
  with fact as (
    select i.id, i.total_ore, f.fees, p.paid, c.credited, c.credits
    from sales.invoices i
    cross join lateral (select coalesce(sum(r.fee_ore), 0)::bigint as fees
      from sales.reminders r where r.invoice_id = i.id and not exists (
        select from sales.withdrawn_fees w
        where w.invoice_id = r.invoice_id and w.reminder_no = r.reminder_no)) as f
    cross join lateral (select coalesce(sum(p.amount_ore), 0)::bigint as paid
      from sales.payments p where p.invoice_id = i.id) as p
    cross join lateral (select coalesce(sum(c.total_ore), 0)::bigint as credited, count(*) as credits
      from sales.invoices c where c.credited_invoice_id = i.id and c.status <> 'draft') as c
    where i.id = any (p_invoice_ids) and i.status <> 'draft' and i.kind = 'invoice'
  )
  update sales.invoices i set
    open_ore = fact.total_ore + fact.fees - fact.paid - fact.credited,
    status = case
      when fact.total_ore + fact.fees - fact.paid - fact.credited > 0 then 'booked'
      when fact.credits > 0 and fact.credited >= fact.total_ore then 'credited'
      else 'paid' end
  from fact where i.id = fact.id;

  select i.id into v_faulty from sales.invoices i
  where i.id = any (p_invoice_ids) and i.total_ore < (
    select sum(c.total_ore) from sales.invoices c
    where c.credited_invoice_id = i.id and c.status <> 'draft')
  limit 1;
  if found then
    raise exception 'invoice % is credited by more than it is', v_faulty
      using errcode = 'HB002', constraint = 'invoices_credited_within_total';
  end if;
end $$;
