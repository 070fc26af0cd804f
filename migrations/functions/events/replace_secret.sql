-- Gives an endpoint its new secret; the one it had signs beside it for a day, if it can be read.
create or replace function events.replace_secret(p_id uuid, p_sealed bytea, p_keeps boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.is_operator() and not app.may('administer') then
    raise exception 'only administrators give webhooks new secrets' using errcode = 'HB405';
  end if;
  update events.endpoints set sealed_secret = p_sealed,
    previous_sealed_secret = case when p_keeps then sealed_secret end,
    previous_secret_until = case when p_keeps then now() + interval '1 day' end
  where id = p_id;
  return found;
end $$;
