-- Months are acknowledged in turn, and taken back from the latest, by owners.
create or replace function ledger.guard_month_end() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if session_user = 'hb_app' and not app.may('own') then
      raise exception 'only an owner reopens a month' using errcode = 'HB405';
    end if;
    if exists (select from ledger.month_ends e where e.month > old.month) then
      raise exception 'a later month is acknowledged'
        using errcode = 'HB004', constraint = 'month_ends_reopen_backwards';
    end if;
  elsif new.month is distinct from ledger.first_month() then
    -- Held, so that nobody opens it again before this one is there.
    perform from ledger.month_ends e where e.month = (new.month - interval '1 month')::date for key share;
    if not found then
      raise exception 'the month before % is not acknowledged', new.month
        using errcode = 'HB004', constraint = 'month_ends_in_turn';
    end if;
  end if;
  return null;
end $$;
