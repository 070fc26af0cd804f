-- Begins a try of a password: what it is to be hashed with. Whoever asks for an address that nobody may log
-- in with gets a salt too, the same each time.
create or replace function app.find_login(p_email text, p_address inet)
returns table (seconds_left integer, try uuid, salt bytea, cost text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_user restricted.users;
  v_secret bytea := (select l.secret || convert_to(lower(p_email), 'UTF8') from restricted.login_salt l);
  v_cost text := (select u.password_cost from restricted.users u where u.password_verifier is not null
    order by sha256(v_secret || uuid_send(u.id)) limit 1);
begin
  seconds_left := app.count_login(p_email, p_address);
  if seconds_left = 0 then
    delete from restricted.password_tries t where t.id in (
      select old.id from restricted.password_tries old
      where old.made_at < now() - interval '15 minutes'
      -- A few at a time: nobody who logs in waits for what a flood of tries left. The rest goes with upkeep.
      limit 1000 for update skip locked);
    -- Also of somebody who is shut out: a salt that changed would tell that they are.
    select * into v_user from restricted.users u
    where lower(u.email) = lower(p_email) and u.password_verifier is not null;
    salt := coalesce(v_user.password_salt, substr(sha256(v_secret), 1, 16));
    cost := coalesce(v_user.password_cost, v_cost, 'm=19456,t=2,p=1');
    insert into restricted.password_tries (user_id)
    values (case when v_user.deactivated_at is null then v_user.id end) returning id into try;
  end if;
  return next;
end $$;
