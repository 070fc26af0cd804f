-- Which of these vouchers the system holds the document of (beside what their source says): marks and counts follow. The
-- vouchers are held, as by what counts attachments, so that each is counted once.
create or replace function ledger.hold_documents(p_vouchers uuid[], p_held uuid[]) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  perform from ledger.vouchers v where v.id = any (p_vouchers) order by v.id for no key update;
  with added as (
    insert into ledger.held_documents (voucher_id) select unnest(p_held) on conflict do nothing returning voucher_id
  ), removed as (
    delete from ledger.held_documents h
    where h.voucher_id in (select unnest(p_vouchers) except select unnest(p_held)) returning h.voucher_id
  )
  insert into ledger.documented_vouchers as d (series_id, month, own, attached)
  select v.series_id, date_trunc('month', v.verification_date)::date, sum(c.change),
    coalesce(-sum(c.change) filter (where exists (select from ledger.attachments a where a.voucher_id = v.id)), 0)
  from (select a.voucher_id, 1 as change from added a union all select r.voucher_id, -1 from removed r) as c
  join ledger.vouchers v on v.id = c.voucher_id
  group by 1, 2 order by 1, 2
  on conflict (series_id, month) do update set own = d.own + excluded.own, attached = d.attached + excluded.attached;
end $$;
