-- Someone had the address right and the password wrong. For an account that does not exist (null) the same
-- is written and taken back: otherwise the milliseconds that writing takes would tell which addresses have
-- accounts.
create or replace function app.refuse_login(p_user_id uuid, p_address inet) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into audit.events (id, actor, action, subject, detail)
  values (gen_random_uuid(), 'address:' || host(p_address), 'user.login_refused',
    coalesce(p_user_id, gen_random_uuid())::text, '{}');
  if p_user_id is null then
    raise exception 'nobody' using errcode = 'HB410';
  end if;
exception when sqlstate 'HB410' then
  null;
end $$;
