-- At the commit: a plan under way has all its postings and no other. A share for each month, an öre apart at most, which come
-- to the amount; and what is prepaid is moved once, what was accrued goes back once. A cancelled one has nothing that
-- waits and no more than some of those, and of what stood on its balance account at most all of it went back. So nobody
-- spreads anything else than the plan says.
create or replace function ledger.require_whole_accrual() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id uuid;
  v_place integer;
  v_plan ledger.accruals;
  v_sign integer;
  v_is_whole boolean;
begin
  if tg_table_name = 'accruals' then
    v_id := new.id;
  else
    v_id := coalesce(new.accrual_id, old.accrual_id);
    v_place := new.place;
  end if;
  select a.* into v_plan from ledger.accruals a where a.id = v_id;
  if not found then return null; end if;
  v_sign := case when v_plan.kind in ('prepaid_income', 'accrued_income') then -1 else 1 end;
  if v_plan.cancelled_at is not null then
    select not exists (select from ledger.accrual_postings p where p.accrual_id = v_id and p.voucher_id is null)
      and (select count(*) <= 1 from ledger.accrual_postings p where p.accrual_id = v_id and p.part = 'rest')
      and (not exists (select from ledger.accrual_postings p where p.accrual_id = v_id and p.part = 'rest')
        or (select sum(p.result_ore) = 0 from ledger.accrual_postings p
          where p.accrual_id = v_id and not exists (select from ledger.corrections c where c.corrected_id = p.voucher_id)))
      and (select count(*) filter (where p.part = 'share') <= v_plan.months
          and count(*) filter (where p.part = 'move') <= case when v_plan.moved_on is null then 0 else 1 end
          and count(*) filter (where p.part = 'back') <= case when v_plan.kind like 'accrued%' then 1 else 0 end
          and coalesce(bool_and(case p.part
            when 'share' then v_sign * p.result_ore between v_plan.amount_ore / v_plan.months
              and v_plan.amount_ore / v_plan.months + 1
            when 'rest' then true
            else p.result_ore = -v_sign * v_plan.amount_ore end), true)
        from ledger.accrual_postings p where p.accrual_id = v_id)
    into v_is_whole;
  else
    -- One that comes with others is asked of with the last of them.
    if exists (select from ledger.accrual_postings p where p.accrual_id = v_id and p.place > v_place) then
      return null;
    end if;
    select count(*) filter (where p.part = 'share') = v_plan.months
      and sum(p.result_ore) filter (where p.part = 'share') = v_sign * v_plan.amount_ore
      and bool_and(v_sign * p.result_ore between v_plan.amount_ore / v_plan.months
        and v_plan.amount_ore / v_plan.months + 1) filter (where p.part = 'share')
      and count(*) filter (where p.part = 'move') = case when v_plan.moved_on is null then 0 else 1 end
      and count(*) filter (where p.part = 'back') = case when v_plan.kind like 'accrued%' then 1 else 0 end
      and bool_and(p.part = 'share' or p.result_ore = -v_sign * v_plan.amount_ore)
      and count(*) filter (where p.part = 'rest') = 0
      and min(p.place) = 1 and max(p.place) = count(*)
    into v_is_whole from ledger.accrual_postings p where p.accrual_id = v_id;
  end if;
  if not coalesce(v_is_whole, false) then
    raise exception 'accrual % is not what it says', v_id
      using errcode = 'HB002', constraint = 'accruals_are_whole';
  end if;
  return null;
end $$;
