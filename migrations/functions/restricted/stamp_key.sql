-- A key that is revoked stays so, by whoever did it.
create or replace function restricted.stamp_key() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.created_by := audit.actor(new.created_by);
    new.created_at := clock_timestamp();
  else
    new.created_by := old.created_by;
    new.created_at := old.created_at;
    if old.revoked_at is not null then
      new.revoked_by := old.revoked_by;
      new.revoked_at := old.revoked_at;
    elsif new.revoked_at is not null then
      new.revoked_by := audit.actor(new.revoked_by);
      new.revoked_at := clock_timestamp();
    end if;
  end if;
  return new;
end $$;
