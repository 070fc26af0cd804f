-- The bytes of a file, for the bank: for whoever may pay, when nobody's yes is waited for, and not of what was cancelled.
create or replace function purchases.payment_file_content(p_id uuid) returns bytea
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_file purchases.payment_files;
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role does not pay' using errcode = 'HB405';
  end if;
  select * into v_file from purchases.payment_files f where f.id = p_id;
  if v_file.needs_second_person and v_file.approved_at is null then
    raise exception 'file % waits for a second person', v_file.number
      using errcode = 'HB002', constraint = 'payment_files_wait_for_yes';
  end if;
  if v_file.cancelled_at is not null then
    raise exception 'file % is cancelled', v_file.number
      using errcode = 'HB002', constraint = 'payment_files_are_kept';
  end if;
  return v_file.content;
end $$;
