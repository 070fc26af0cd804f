-- Holding the voucher makes its first attachment be counted once, however many come at the same time.
create or replace function ledger.count_attached() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from ledger.vouchers v where v.id = new.voucher_id for no key update;
  if (select count(*) from ledger.attachments a where a.voucher_id = new.voucher_id) = 1 then
    insert into ledger.documented_vouchers as d (series_id, month, attached)
    select v.series_id, date_trunc('month', v.verification_date)::date, 1
    from ledger.vouchers v where v.id = new.voucher_id and ledger.wants_document(v.source, v.id)
    on conflict (series_id, month) do update set attached = d.attached + 1;
  end if;
  return null;
end $$;
