-- Refunds that came before their order's invoice was booked are judged again once it is. One that is being judged
-- this very moment is asked for too: its worker may not have seen the booking.
create or replace function intake.wake_refunds() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_jobs jsonb[];
begin
  if not exists (select from intake.orders r where r.order_identity is not null and r.invoice_id is null) then
    return null;
  end if;
  select array_agg(jsonb_build_object('attemptId', t.id)) into v_jobs
  from (select id from after where status <> 'draft' except select id from before where status <> 'draft') as a
  join intake.orders o on o.invoice_id = a.id and o.kind = 'order'
  join intake.orders r on r.order_identity = o.identity and r.invoice_id is null and not r.is_dismissed
  cross join lateral (select id, status, reason from intake.order_attempts
    where order_id = r.id order by received_at desc, id desc limit 1) as t
  where t.status = 'received' or t.reason in ('order_unknown', 'order_not_booked');
  if v_jobs is not null then
    perform intake.enqueue('order-intake', v_jobs);
  end if;
  return null;
end $$;
