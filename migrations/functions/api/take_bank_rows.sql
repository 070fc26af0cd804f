-- POST /api/v1/banktransaktioner, second half, in the transaction of api.look_at_bank_account: what is new comes in, and
-- the answer is remembered. Where nothing is new (`p_rows` is empty) there is no statement of it, only what is known of
-- its days; what that changes is written down. The key is asked for again, the tables judge what comes, and
-- rows are called what comes next of their day and amount: whoever calls this alone gets no further than that.
--   p_statement  {id, first_day, last_day, opening_ore, closing_ore, credit_ore, debit_ore, entries}
--   p_rows       [{id, booked_on, amount_ore, description, line, value_date, balance_after_ore, bank_reference,
--                servicer_reference, details: [{place, amount_ore, end_to_end_id, creditor_references, documents, texts,
--                debtor, creditor}]}]
--   p_days       [{day, opening_ore, closing_ore, is_from_start, is_to_end}]
--   p_balances   [{day, ore}]
create or replace function api.take_bank_rows(
  p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_request text, p_request_id uuid, p_import_id uuid,
  p_account_id uuid, p_statement jsonb, p_rows jsonb, p_days jsonb, p_balances jsonb, p_told jsonb
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_route constant text := 'POST /api/v1/banktransaktioner';
  v_call record;
  v_actor text;
  v_account bank.accounts;
  v_statement record;
  c_rows constant integer := coalesce(jsonb_array_length(p_rows), 0);
  v_told_day date;
  v_told_to date;
begin
  -- As many as a call has (src/api/bank-transactions/schemas.ts), with the months that it can be of.
  if c_rows > 1000 or jsonb_array_length(p_days) > 1000 or jsonb_array_length(p_balances) > 2000
    or pg_column_size(p_rows) > 67108864 or octet_length(p_request) > 16777216 or pg_column_size(p_told) > 10000 then
    raise exception 'the call brings more than a call does' using errcode = 'HB405';
  end if;
  select * into strict v_call from restricted.judge_calls(c_route, array['bank:write'], array[p_hash],
    array[p_idempotency_key], array[p_request_hash]);
  if v_call.outcome is not null then
    raise exception 'the call may not go on: %', v_call.outcome using errcode = 'HB405';
  end if;
  select * into v_account from bank.accounts a where a.id = p_account_id and a.is_active for update;
  if not found then
    raise exception 'there is no such account' using errcode = 'HB405';
  end if;
  v_actor := 'key:' || v_call.key_id;

  if c_rows > 0 then
    select * into v_statement from jsonb_to_record(p_statement) as s (id uuid, first_day date, last_day date,
      opening_ore bigint, closing_ore bigint, credit_ore bigint, debit_ore bigint, entries integer);
    -- As of a file (src/bank/statements/report.ts).
    insert into bank.imports (id, account_id, asked_at, asked_by, finished_at, report, created_by)
    values (p_import_id, p_account_id, now(), v_actor, now(), jsonb_build_object(
      'taken', 1, 'added', c_rows, 'known', v_statement.entries - c_rows,
      'files', jsonb_build_array(jsonb_build_object('file', 'API', 'sha256', encode(p_request_hash, 'hex'),
        'verdict', 'ok', 'format', 'api', 'problems', '[]'::jsonb, 'statements', jsonb_build_array(jsonb_build_object(
          'outcome', 'taken', 'account', coalesce(v_account.iban, v_account.ledger_account::text),
          'accountId', v_account.id, 'accountName', v_account.name, 'currency', 'SEK', 'isNotice', false,
          'from', v_statement.first_day, 'to', v_statement.last_day,
          'opening', v_statement.opening_ore::text, 'closing', v_statement.closing_ore::text,
          'credit', coalesce(v_statement.credit_ore, 0)::text, 'debit', coalesce(v_statement.debit_ore, 0)::text,
          'entries', v_statement.entries, 'added', c_rows, 'known', v_statement.entries - c_rows,
          'doubts', '[]'::jsonb))))), v_actor);
    insert into bank.imported_statements (id, import_id, account_id, place, format, is_notice, first_day, last_day,
      opening_ore, closing_ore, entries, added)
    values (v_statement.id, p_import_id, p_account_id, 1, 'api', false, v_statement.first_day, v_statement.last_day,
      v_statement.opening_ore, v_statement.closing_ore, v_statement.entries, c_rows);
    insert into bank.transactions (id, account_id, statement_id, reference, booked_on, amount_ore, description,
      line, value_date, balance_after_ore, bank_reference, servicer_reference)
    select r.id, p_account_id, v_statement.id,
      -- By day, amount and number among equal ones, as those of files (src/bank/statements/known.ts).
      r.equal || ' ' || coalesce(known.number, 0) + row_number() over (partition by r.equal order by r.nth),
      r.booked_on, r.amount_ore, r.description, r.line, r.value_date, r.balance_after_ore, r.bank_reference,
      r.servicer_reference
    from (select to_char(e.booked_on, 'YYYY-MM-DD') || ' ' || e.amount_ore as equal, e.*
      from rows from (jsonb_to_recordset(p_rows) as (id uuid, booked_on date, amount_ore bigint, description text,
        line integer, value_date date, balance_after_ore bigint, bank_reference text, servicer_reference text))
        with ordinality as e (id, booked_on, amount_ore, description, line, value_date, balance_after_ore,
        bank_reference, servicer_reference, nth)) as r
    left join lateral (select max(substr(t.reference, length(r.equal) + 2)::integer) as number
      from bank.transactions t
      where t.account_id = p_account_id and t.booked_on = r.booked_on and t.amount_ore = r.amount_ore
        and t.statement_id is not null and t.reference ~ (' ' || r.amount_ore || ' [0-9]{1,9}$')
        and starts_with(t.reference, r.equal || ' ')) as known on true;
    insert into bank.details (transaction_id, place, amount_ore, end_to_end_id, creditor_references, documents, texts,
      debtor, creditor)
    select r.id, d.place, d.amount_ore, d.end_to_end_id, d.creditor_references, d.documents, d.texts, d.debtor,
      d.creditor
    from jsonb_to_recordset(p_rows) as r (id uuid, details jsonb)
    cross join lateral jsonb_to_recordset(r.details) as d (place integer, amount_ore bigint, end_to_end_id text,
      creditor_references text[], documents jsonb, texts text[], debtor jsonb, creditor jsonb);
    perform bank.tie_announcements(p_account_id);
    insert into events.outbox (type, subject) values ('bank.imported', p_import_id);
    insert into audit.events (id, occurred_at, actor, action, subject, detail)
    values (gen_random_uuid(), clock_timestamp(), v_actor, 'bank.imported', p_import_id::text,
      jsonb_build_object('files', 0, 'statements', 1, 'rows', c_rows));
  end if;

  with told as (
    insert into bank.days as known (account_id, day, opening_ore, closing_ore, is_from_start, is_to_end)
    select p_account_id, d.day, d.opening_ore, d.closing_ore, d.is_from_start, d.is_to_end
    from jsonb_to_recordset(p_days) as d (day date, opening_ore bigint, closing_ore bigint, is_from_start boolean,
      is_to_end boolean)
    on conflict (account_id, day) do update set opening_ore = excluded.opening_ore,
      closing_ore = excluded.closing_ore, is_from_start = excluded.is_from_start, is_to_end = excluded.is_to_end
    where (known.opening_ore, known.closing_ore, known.is_from_start, known.is_to_end)
      is distinct from (excluded.opening_ore, excluded.closing_ore, excluded.is_from_start, excluded.is_to_end)
    returning known.day)
  select max(day) into v_told_day from told;
  -- Of a day that is known better, that holds.
  with told as (
    insert into bank.statements as known (account_id, closing_date, balance_ore)
    select p_account_id, b.day, coalesce((select d.closing_ore from bank.days d
      where d.account_id = p_account_id and d.day = b.day), b.ore)
    from jsonb_to_recordset(p_balances) as b (day date, ore bigint)
    on conflict (account_id, closing_date) do update set balance_ore = excluded.balance_ore
    where known.balance_ore <> excluded.balance_ore
    returning known.closing_date)
  select max(closing_date) into v_told_to from told;
  if c_rows = 0 and coalesce(v_told_day, v_told_to) is not null then
    insert into audit.events (id, occurred_at, actor, action, subject, detail)
    values (gen_random_uuid(), clock_timestamp(), v_actor, 'bank.balance_stated', p_account_id::text,
      jsonb_build_object('closing_date', greatest(v_told_day, v_told_to)));
  end if;

  insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request, request_id, made, told)
  values (restricted.first_key(v_call.key_id), c_route, p_idempotency_key, p_request_hash, p_request, p_request_id,
    p_import_id, p_told);
end $$;
