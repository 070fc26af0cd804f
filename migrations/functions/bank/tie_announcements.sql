-- Finds the row that each waiting announcement of an account details: of the same day, amount and bank's reference, in
-- their order; without a reference in common where there is one of each only. What a row details is a change of the row.
create or replace function bank.tie_announcements(p_account_id uuid) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  with waiting as (
    select a.id, a.booked_on, a.amount_ore, coalesce(a.servicer_reference, a.bank_reference) as mark,
      row_number() over (partition by a.booked_on, a.amount_ore,
        coalesce(a.servicer_reference, a.bank_reference) order by a.id) as nth
    from bank.announcements a where a.account_id = p_account_id and a.transaction_id is null
  ), free as (
    select t.id, t.booked_on, t.amount_ore, m.mark,
      row_number() over (partition by t.booked_on, t.amount_ore, m.mark order by t.id) as nth
    from bank.transactions t
    cross join lateral (select distinct mark
      from unnest(array[t.servicer_reference, t.bank_reference]) as m (mark) where mark is not null) as m
    where t.account_id = p_account_id and (t.booked_on, t.amount_ore) in (
        select w.booked_on, w.amount_ore from waiting w)
      and not exists (select from bank.announcements a where a.transaction_id = t.id)
  ), tied as (
    update bank.announcements a set transaction_id = f.id
    from waiting w join free f using (booked_on, amount_ore, mark, nth) where a.id = w.id
    returning a.transaction_id
  )
  update bank.transactions t set updated_at = t.updated_at from tied where t.id = tied.transaction_id;

  with waiting as (
    select a.id, a.booked_on, a.amount_ore, count(*) over (partition by a.booked_on, a.amount_ore) as of_them
    from bank.announcements a where a.account_id = p_account_id and a.transaction_id is null
  ), free as (
    select t.id, t.booked_on, t.amount_ore, count(*) over (partition by t.booked_on, t.amount_ore) as of_them
    from bank.transactions t
    where t.account_id = p_account_id and (t.booked_on, t.amount_ore) in (
        select w.booked_on, w.amount_ore from waiting w)
      and not exists (select from bank.announcements a where a.transaction_id = t.id)
  ), tied as (
    update bank.announcements a set transaction_id = f.id
    from waiting w join free f using (booked_on, amount_ore)
    where a.id = w.id and w.of_them = 1 and f.of_them = 1
    returning a.transaction_id
  )
  update bank.transactions t set updated_at = t.updated_at from tied where t.id = tied.transaction_id;
end $$;
