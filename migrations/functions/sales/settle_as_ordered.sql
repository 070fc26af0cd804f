-- Settles a booked invoice by the payments that its order told of, or pays back by those of a refund's credit note: one
-- voucher a day (series C), debit where the money came in, credit receivables and what a tip is owed on; of a credit
-- note the reverse, on the invoice that it takes back of. None is booked before the invoice or note: when a person has
-- given that a later day, it is that one. What a lock or an account stops is noted on the payments, and the invoice stays
-- open. Only those who book call it, in the same transaction; run again it books nothing twice.
create or replace function sales.settle_as_ordered(p_invoice_id uuid, p_actor text, p_request_id uuid)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_day record;
  v_rows record;
  v_posted record;
  v_voucher_id uuid;
begin
  for v_day in
    select i.kind, coalesce(i.credited_invoice_id, i.id) as settled_id,
      greatest(p.payment_date, i.invoice_date) as booked_on, array_agg(p.place) as places,
      case i.kind when 'invoice' then 'Inbetalning kundfaktura ' else 'Återbetalning kundfaktura ' end
        || coalesce(credited.number, i.number) as description,
      left(i.debtor ->> 'name', 200) as name
    from sales.order_payments p join sales.invoices i on i.id = p.invoice_id
    left join sales.invoices credited on credited.id = i.credited_invoice_id
    where p.invoice_id = p_invoice_id and p.voucher_id is null and i.status <> 'draft'
    group by i.id, credited.number, booked_on order by booked_on
  loop
    v_voucher_id := gen_random_uuid();
    select array_agg(1) as item,
      array_agg(m.place::integer order by m.place) as no, array_agg(m.account order by m.place) as account,
      array_agg(greatest(m.ore, 0) order by m.place) as debit, array_agg(greatest(-m.ore, 0) order by m.place) as credit,
      array_agg(null::text) as no_note, array_agg(null::uuid) as nothing
    into v_rows
    from (
      select s.account, s.ore, row_number() over (order by s.ore < 0, s.account) as place
      from (
        select e.account, sum(case v_day.kind when 'invoice' then e.ore else -e.ore end)::bigint as ore
        from sales.order_payments p
        cross join lateral (values (p.account, p.amount_ore), (1510, p.tip_ore - p.amount_ore), (p.tip_account, -p.tip_ore))
          as e (account, ore)
        where p.invoice_id = p_invoice_id and p.place = any (v_day.places)
        group by e.account) as s
      where s.ore <> 0) as m;
    continue when v_rows.item is null;
    select * into strict v_posted from ledger.post_vouchers(array[v_voucher_id], array['C'], array[v_day.booked_on],
      array[v_day.description], array[v_day.name], array['payment'], array[p_actor], array[p_request_id],
      v_rows.item, v_rows.no, v_rows.account, v_rows.debit, v_rows.credit, v_rows.no_note, v_rows.nothing,
      v_rows.nothing);
    if v_posted.error is not null then
      update sales.order_payments p
      set refusal = jsonb_build_object('error', v_posted.error, 'detail', v_posted.detail)
      where p.invoice_id = p_invoice_id and p.place = any (v_day.places);
      continue;
    end if;
    insert into sales.payments (id, invoice_id, payment_date, kind, amount_ore, account, voucher_id, reference, created_by)
    select gen_random_uuid(), v_day.settled_id, v_day.booked_on, 'money',
      case v_day.kind when 'invoice' then p.amount_ore - p.tip_ore else p.tip_ore - p.amount_ore end, p.account,
      v_voucher_id, coalesce(p.reference, p.method), p_actor
    from sales.order_payments p
    where p.invoice_id = p_invoice_id and p.place = any (v_day.places)
      and p.amount_ore <> p.tip_ore
    order by p.place;
    update sales.order_payments p set voucher_id = v_voucher_id, refusal = null
    where p.invoice_id = p_invoice_id and p.place = any (v_day.places);
  end loop;
end $$;
