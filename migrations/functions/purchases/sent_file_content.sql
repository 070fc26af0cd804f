-- The bytes of a file that the bank has been sent, for the archive of a year; null of one that was not. Others give them out
-- to be sent (purchases.payment_file_content).
create or replace function purchases.sent_file_content(p_id uuid) returns bytea
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('administer') then
    raise exception 'this role does not archive' using errcode = 'HB405';
  end if;
  return (select f.content from purchases.payment_files f where f.id = p_id and f.sent_at is not null);
end $$;
