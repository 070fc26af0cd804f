-- What the bank said of rows stays, and a voucher books rows of accounts that it has rows on, no more of each than it changes
-- it by: of all rows that one statement matches. What was and what is are held together by `except`, and sums by grouping what is
-- known: a join is planned for the first statement of a session, and one of a single row would have thousands looked for one by one.
create or replace function bank.guard_matches() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_faulty uuid;
  v_vouchers uuid[];
begin
  select id into v_faulty from (
    select id, account_id, reference, booked_on, amount_ore, description from after
    except select id, account_id, reference, booked_on, amount_ore, description from before) as changed
  limit 1;
  if found then
    raise exception 'bank row % stays what the bank said', v_faulty
      using errcode = 'HB001', constraint = 'transactions_are_the_banks';
  end if;
  select array_agg(distinct voucher_id) into v_vouchers from (
    select id, voucher_id from after where voucher_id is not null
    except select id, voucher_id from before) as new_match;
  if v_vouchers is null then
    return null;
  end if;
  perform from bank.accounts where id in (select account_id from after where voucher_id is not null)
  order by id for update;
  -- Of each voucher and account of the bank: what is new, all that is matched, and what the voucher changes the account by.
  select voucher_id into v_faulty from (
    select new_match.voucher_id, new_match.account_id, new_match.amount_ore as new_ore, null::bigint as matched_ore,
      null::bigint as change_ore
    from (
      select id, voucher_id, account_id, amount_ore from after where voucher_id is not null
      except select id, voucher_id, account_id, amount_ore from before) as new_match
    union all
    select t.voucher_id, t.account_id, null, t.amount_ore, null
    from bank.transactions t where t.voucher_id = any (v_vouchers)
    union all
    -- Looked up by the voucher: an index by account would be read through.
    select r.voucher_id, a.id, null, null, r.debit_ore - r.credit_ore
    from ledger.voucher_rows r join bank.accounts a on a.ledger_account = r.account + 0
    where r.voucher_id = any (v_vouchers)) as known
  group by voucher_id, account_id
  having count(new_ore) > 0 and (count(change_ore) = 0
    or max(new_ore) > 0 and sum(matched_ore) > sum(change_ore)
    or min(new_ore) <= 0 and sum(matched_ore) < sum(change_ore))
  limit 1;
  if found then
    raise exception 'voucher % books less than is matched with it', v_faulty
      using errcode = 'HB002', constraint = 'transactions_have_room';
  end if;
  return null;
end $$;
