-- The owner's commands may take their time.
create or replace function restricted.require_up_to_date() returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if session_user <> current_user and not restricted.is_up_to_date() then
    raise exception 'this transaction is too old, or sees too old things, to write' using errcode = 'HB405';
  end if;
end $$;
