-- Counts an attempt before anything is looked up, of an account and an address, or of an address alone (null). An
-- account may be tried 10 times and an address 50 times in a quarter of an hour; an IPv6 address is its /64. Answers
-- the seconds to wait, 0 when none.
create or replace function app.count_login(p_email text, p_address inet) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with counted as (
    insert into restricted.login_windows as w (subject, opened_at, used)
    select subject, now(), 1 from (values
      ('account ' || lower(left(p_email, 320))),
      ('address ' || case family(p_address)
        when 6 then text(network(set_masklen(p_address, 64))) else host(p_address) end)) as v (subject)
    where subject is not null
    order by subject
    on conflict (subject) do update set
      used = 1 + case when restricted.is_open(w.opened_at, interval '15 minutes') then w.used else 0 end,
      opened_at = case when restricted.is_open(w.opened_at, interval '15 minutes') then w.opened_at else now() end
    returning w.subject, w.used, w.opened_at
  )
  select coalesce(max(greatest(1, ceil(extract(epoch from opened_at + interval '15 minutes' - now()))))
    filter (where used > case when subject like 'account %' then 10 else 50 end), 0)::integer
  from counted
$$;
