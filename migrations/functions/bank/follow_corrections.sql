-- A settlement whose voucher is taken back, with nothing in its place, may be sent anew.
create or replace function bank.follow_corrections() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.replacement_id is null then
    update bank.provider_settlements s set taken_back_by = new.reversal_id where s.voucher_id = new.corrected_id;
  end if;
  return null;
end $$;
