-- Who asked for an import as it now is, and when: whoever says last what is to be taken in and how. What has been taken
-- in stays as it was asked for.
create or replace function bank.stamp_asked() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.finished_at is not null then
    raise exception 'import % has been taken in', old.id using errcode = 'HB001', constraint = 'bank_is_immutable';
  end if;
  new.asked_at := case when new.asked_at is not null then clock_timestamp() end;
  new.asked_by := case when new.asked_at is not null then audit.actor(new.asked_by) end;
  return new;
end $$;
