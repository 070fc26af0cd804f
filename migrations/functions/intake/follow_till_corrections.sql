-- A report whose voucher is taken back, with nothing in its place, is stopped: it is booked anew, or put aside.
create or replace function intake.follow_till_corrections() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.replacement_id is null then
    update intake.till_reports t set status = 'stopped', reason = 'taken_back', voucher_id = null, decided_at = now(),
      detail = jsonb_build_object('problems', jsonb_build_array(jsonb_build_object('path', '', 'reason', 'till_taken_back',
        'params', jsonb_build_object('voucher', v.series || v.number))))
    from ledger.vouchers v where v.id = new.corrected_id and t.voucher_id = v.id;
  end if;
  return null;
end $$;
