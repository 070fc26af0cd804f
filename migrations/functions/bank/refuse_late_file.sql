-- Whoever asks for an import has seen all of its files, and files are added by those who began it alone.
create or replace function bank.refuse_late_file() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from bank.imports i where i.id = new.import_id and i.asked_at is null and i.finished_at is null
    and i.created_by = audit.actor(i.created_by) for share;
  if not found then
    raise exception 'import % has the files that it has', new.import_id
      using errcode = 'HB001', constraint = 'bank_is_immutable';
  end if;
  return new;
end $$;
