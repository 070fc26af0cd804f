-- A form is claimed in the transaction of its effect: null the first time, then where that one went
-- (empty when it is not this person's to know). Whoever comes second waits for the first to commit. Nobody
-- claims nothing.
create or replace function app.claim_form(p_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_first restricted.form_posts;
begin
  if app.current_role_name() is null then
    perform audit.refuse_nobody();
  end if;
  insert into restricted.form_posts (id, user_id, location)
  values (p_id, app.current_user_id(), '') on conflict do nothing;
  if found then return null; end if;
  select * into v_first from restricted.form_posts where id = p_id;
  return case when v_first.user_id is not distinct from app.current_user_id() then v_first.location
    else '' end;
end $$;
