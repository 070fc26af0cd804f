-- Books a till's report by one voucher, whose document is its bytes: once for a till and number. The caller gives the rows
-- (src/domain/sales/till-posting.ts); that their day, sales and VAT are the report's own is seen to here. No rows: nothing
-- happened in kronor, and there is no voucher.
--   p_rows    [{account, debit_ore, credit_ore, note}]
--   outcome   posted | empty | judged (it does not wait to be judged) | differs (another body of it is booked) |
--             unprocessable | period_locked (with `detail`, as ledger.post_vouchers)
create or replace function intake.book_till_report(p_id uuid, p_voucher_id uuid, p_actor text, p_rows jsonb)
returns table (outcome text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  c_actor constant text := audit.actor(p_actor);
  v_report intake.till_reports;
  v_body json;
  v_sold numeric;
  v_posted record;
  v_attachment_id constant uuid := gen_random_uuid();
begin
  select * into v_report from intake.till_reports t where t.id = p_id for update;
  if v_report.status is distinct from 'received' then
    outcome := 'judged';
    return next;
    return;
  end if;
  -- Whoever books another body of the same report waits, and hears of this.
  perform pg_advisory_xact_lock(hashtextextended('till report ' || v_report.identity, 0));
  if exists (select from intake.till_reports t
      where t.identity = v_report.identity and t.status in ('posted', 'empty')) then
    outcome := 'differs';
    return next;
    return;
  end if;
  -- Of type json: what its texts hold does not matter here.
  v_body := convert_from(v_report.raw, 'UTF8')::json;
  select coalesce(sum(s.sign * round((s.line ->> 'amount')::numeric * 100)), 0) into v_sold
  from (
    select 1 as sign, value as line from json_array_elements(
      case json_typeof(v_body -> 'sales') when 'array' then v_body -> 'sales' else '[]' end)
    union all
    select -1, value from json_array_elements(
      case json_typeof(v_body -> 'returns') when 'array' then v_body -> 'returns' else '[]' end)) as s;
  if v_report.till is null or v_report.z_number is null
    or v_report.day is distinct from (v_body ->> 'date')::date
    or v_report.z_number is distinct from (v_body ->> 'zNumber')::numeric
    or v_report.till is distinct from (v_body ->> 'tillId')
    or (select coalesce(sum(r.credit_ore::numeric - r.debit_ore), 0)
        from jsonb_to_recordset(p_rows) as r (account integer, debit_ore bigint, credit_ore bigint)
        where left(r.account::text, 4)::integer between 3000 and 3699
          or left(r.account::text, 4)::integer between 2610 and 2639) <> v_sold then
    raise exception 'the voucher is not what the till says' using errcode = 'HB405';
  end if;
  if jsonb_array_length(p_rows) = 0 then
    outcome := 'empty';
    update intake.till_reports t set status = 'empty', reason = null, detail = null, dismissal = null, decided_at = now()
    where t.id = p_id;
  else
    select p.* into strict v_posted from (
      select array_agg(1 order by r.no) as item, array_agg(r.no::integer order by r.no) as no,
        array_agg(r.account order by r.no) as account, array_agg(r.debit_ore order by r.no) as debit,
        array_agg(r.credit_ore order by r.no) as credit, array_agg(r.note order by r.no) as note,
        array_agg(null::uuid) as nothing
      from rows from (jsonb_to_recordset(p_rows) as (account integer, debit_ore bigint, credit_ore bigint, note text))
        with ordinality as r (account, debit_ore, credit_ore, note, no)) as r
    cross join lateral ledger.post_vouchers(array[p_voucher_id], array['A'], array[v_report.day],
      array[left('Dagskassa ' || btrim(v_report.till) || ', Z ' || v_report.z_number, 500)], array[null::text],
      array['till_report'], array[c_actor], array[v_report.request_id], r.item, r.no, r.account, r.debit, r.credit,
      r.note, r.nothing, r.nothing) as p;
    outcome := coalesce(v_posted.error, 'posted');
    detail := v_posted.detail;
    if v_posted.error is null then
      insert into archive.contents (sha256, bytes) values (v_report.sha256, v_report.raw) on conflict do nothing;
      insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type, created_by)
      values (v_attachment_id, p_voucher_id, v_report.sha256, 'dagskassa-'
        || left(regexp_replace(v_report.till, '[^[:alnum:]._-]', '_', 'g'), 100) || '-z' || v_report.z_number || '.json',
        'text/plain', c_actor);
      update intake.till_reports t set status = 'posted', voucher_id = p_voucher_id, reason = null, detail = null,
        dismissal = null, decided_at = now()
      where t.id = p_id;
      insert into audit.events (id, occurred_at, actor, action, subject, detail)
      values (gen_random_uuid(), clock_timestamp(), c_actor, 'till_report.booked', p_id::text,
          jsonb_build_object('till', v_report.till, 'number', v_report.z_number, 'voucher_id', p_voucher_id)),
        (gen_random_uuid(), clock_timestamp(), c_actor, 'attachment.added', p_voucher_id::text,
          jsonb_build_object('attachment_id', v_attachment_id, 'sha256', encode(v_report.sha256, 'hex')));
    end if;
  end if;
  -- What was sent of it before, and stopped, waits for nobody any more.
  if outcome in ('posted', 'empty') then
    update intake.till_reports t set status = 'dismissed', reason = 'replaced', decided_at = now()
    where t.identity = v_report.identity and t.status = 'stopped';
  end if;
  return next;
end $$;
