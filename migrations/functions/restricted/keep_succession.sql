-- A key is rotated once, into one that is made for it in the same transaction, may the same and is as much of a test; and its end, once
-- it has one, only comes nearer.
create or replace function restricted.keep_succession() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.successor_id is distinct from old.successor_id
    and (old.successor_id is not null or not exists (select from restricted.api_keys k
      where k.id = new.successor_id and k.xmin = pg_current_xact_id()::xid and k.scopes <@ old.scopes and k.is_test = old.is_test)) then
    raise exception 'key % is rotated into a new one, once', old.id
      using errcode = 'HB002', constraint = 'keys_are_rotated_once';
  end if;
  if old.expires_at < coalesce(new.expires_at, 'infinity') then
    raise exception 'key % ends no later than it was to', old.id
      using errcode = 'HB002', constraint = 'keys_end_no_later';
  end if;
  return new;
end $$;
