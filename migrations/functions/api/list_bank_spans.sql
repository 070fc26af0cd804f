-- For POST /api/v1/banktransaktioner: statements of an account that have told of days between the first and the last asked
-- for, so that rows which contradict them are seen (src/domain/ledger/bank-statements/contradictions.ts).
--   opening_ore  of one that says its balances; null of others
create or replace function api.list_bank_spans(p_account_id uuid, p_days date[])
returns table (first_day date, last_day date, opening_ore bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform api.require_key('bank:write');
  return query
    select s.first_day, s.last_day, case when s.closing_ore is not null then s.opening_ore end
    from bank.imported_statements s where s.account_id = p_account_id and not s.is_notice
      and s.last_day > s.first_day + 1 and s.last_day > (select min(u.day) from unnest(p_days) as u (day))
      and s.first_day < (select max(u.day) from unnest(p_days) as u (day))
    order by s.first_day, s.last_day, s.id;
end $$;
