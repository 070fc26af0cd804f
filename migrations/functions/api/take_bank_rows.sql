-- POST /api/v1/banktransaktioner, second half, in the transaction of api.look_at_bank_account: what is new comes in, and
-- the answer is remembered. Where nothing is new (`p_rows` is empty) there is no statement of it, only what is known of
-- its days. The key is asked for again: whoever calls this alone gets no further with a key that may not.
--   p_statement  {id, first_day, last_day, opening_ore, closing_ore, entries}
--   p_rows       [{id, reference, booked_on, amount_ore, description, line, value_date, balance_after_ore,
--                bank_reference, servicer_reference, details: [{place, amount_ore, end_to_end_id, creditor_references,
--                documents, texts, debtor, creditor}]}]
--   p_days       [{day, opening_ore, closing_ore, is_from_start, is_to_end}]
--   p_balances   [{day, ore}]
create or replace function api.take_bank_rows(
  p_hash bytea, p_idempotency_key text, p_request_hash bytea, p_request text, p_request_id uuid, p_import_id uuid,
  p_account_id uuid, p_statement jsonb, p_rows jsonb, p_days jsonb, p_balances jsonb, p_report jsonb, p_told jsonb
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_route constant text := 'POST /api/v1/banktransaktioner';
  v_call record;
  v_actor text;
begin
  select * into strict v_call from restricted.judge_calls(c_route, array['bank:write'], array[p_hash],
    array[p_idempotency_key], array[p_request_hash]);
  if v_call.outcome is not null then
    raise exception 'the call may not go on: %', v_call.outcome using errcode = 'HB405';
  end if;
  perform from bank.accounts a where a.id = p_account_id and a.is_active for update;
  if not found then
    raise exception 'there is no such account' using errcode = 'HB405';
  end if;
  v_actor := 'key:' || v_call.key_id;

  if jsonb_array_length(p_rows) > 0 then
    insert into bank.imports (id, account_id, asked_at, finished_at, report, created_by)
    values (p_import_id, p_account_id, now(), now(), p_report, v_actor);
    insert into bank.imported_statements (id, import_id, account_id, place, format, is_notice, first_day, last_day,
      opening_ore, closing_ore, entries, added)
    select s.id, p_import_id, p_account_id, 1, 'api', false, s.first_day, s.last_day, s.opening_ore, s.closing_ore,
      s.entries, jsonb_array_length(p_rows)
    from jsonb_to_record(p_statement) as s (id uuid, first_day date, last_day date, opening_ore bigint,
      closing_ore bigint, entries integer);
    insert into bank.transactions (id, account_id, statement_id, reference, booked_on, amount_ore, description,
      line, value_date, balance_after_ore, bank_reference, servicer_reference)
    select r.id, p_account_id, (p_statement ->> 'id')::uuid, r.reference, r.booked_on, r.amount_ore, r.description,
      r.line, r.value_date, r.balance_after_ore, r.bank_reference, r.servicer_reference
    from jsonb_to_recordset(p_rows) as r (id uuid, reference text, booked_on date, amount_ore bigint,
      description text, line integer, value_date date, balance_after_ore bigint, bank_reference text,
      servicer_reference text);
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
      jsonb_build_object('files', 0, 'statements', 1, 'rows', jsonb_array_length(p_rows)));
  end if;

  insert into bank.days (account_id, day, opening_ore, closing_ore, is_from_start, is_to_end)
  select p_account_id, d.day, d.opening_ore, d.closing_ore, d.is_from_start, d.is_to_end
  from jsonb_to_recordset(p_days) as d (day date, opening_ore bigint, closing_ore bigint, is_from_start boolean,
    is_to_end boolean)
  on conflict (account_id, day) do update set opening_ore = excluded.opening_ore,
    closing_ore = excluded.closing_ore, is_from_start = excluded.is_from_start, is_to_end = excluded.is_to_end;
  -- Of a day that is known better, that holds.
  insert into bank.statements (account_id, closing_date, balance_ore)
  select p_account_id, b.day, coalesce((select d.closing_ore from bank.days d
    where d.account_id = p_account_id and d.day = b.day), b.ore)
  from jsonb_to_recordset(p_balances) as b (day date, ore bigint)
  on conflict (account_id, closing_date) do update set balance_ore = excluded.balance_ore;

  insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request, request_id, made, told)
  values (restricted.first_key(v_call.key_id), c_route, p_idempotency_key, p_request_hash, p_request, p_request_id,
    p_import_id, p_told);
end $$;
