-- Books what a provider has said of a payout, and keeps it: once, by whatever way it comes. For those who have been let
-- on already (api.take_provider_settlement, bank.write_settlement).
--   p_settlement  {id, voucher_id, provider, number, day, account, payout_ore, payout_reference, country, content_hash (hex),
--                 document (base64: the bytes that came, which document the voucher)}
--   p_lines       [{kind, amount_ore, account, reverse_charge_vat_ore, text, reference}]
--   p_rows        [{account, debit_ore, credit_ore, note}] of the voucher
--   outcome       posted | known (the same has come before) | differs (another has come by that name) |
--                 unprocessable | period_locked (with `detail`, as ledger.post_vouchers)
create or replace function bank.take_provider_settlement(
  p_actor text, p_request_id uuid, p_settlement jsonb, p_lines jsonb, p_rows jsonb
) returns table (outcome text, id uuid, voucher_id uuid, detail jsonb)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_new bank.provider_settlements;
  v_known bank.provider_settlements;
  v_posted record;
  v_document constant bytea := decode(p_settlement ->> 'document', 'base64');
  v_attachment_id constant uuid := gen_random_uuid();
begin
  select s.id, s.provider, s.number, s.day, s.account, s.payout_ore, s.payout_reference, s.country,
    decode(s.content_hash, 'hex') as content_hash, s.voucher_id
  into v_new.id, v_new.provider, v_new.number, v_new.day, v_new.account, v_new.payout_ore, v_new.payout_reference,
    v_new.country, v_new.content_hash, v_new.voucher_id
  from jsonb_to_record(p_settlement) as s (id uuid, voucher_id uuid, provider text, number text, day date,
    account integer, payout_ore bigint, payout_reference text, country text, content_hash text);
  if (select sum(l.amount_ore) from jsonb_to_recordset(p_lines) as l (amount_ore bigint))
    is distinct from v_new.payout_ore::numeric then
    raise exception 'the lines are not the payout' using errcode = 'HB405';
  end if;
  -- The voucher is what the lines say, account by account (src/domain/purchases/provider-settlement.ts): its lines are its
  -- document. Bases of VAT that we owe ourselves are of one of two accounts.
  if v_new.account not between 1580 and 1589 and v_new.account not between 1680 and 1689
    or v_new.payout_ore <> 0 and not exists (
      select from jsonb_to_recordset(p_rows) as r (account integer, debit_ore bigint, credit_ore bigint)
      where r.account = v_new.account and r.debit_ore::numeric - r.credit_ore = v_new.payout_ore)
    or exists (select from (
        select case r.account when 4531 then 4535 else r.account end as account, r.debit_ore::numeric - r.credit_ore as ore
        from jsonb_to_recordset(p_rows) as r (account integer, debit_ore bigint, credit_ore bigint)
        union all select v_new.account, -v_new.payout_ore::numeric
        union all select case when l.kind in ('sale', 'refund', 'reserve') then v_new.account when l.kind = 'fee_vat' then 2641
            when l.kind = 'fee' and l.account is null then 6570 when l.account = 4531 then 4535 else l.account end,
          l.amount_ore
        from jsonb_to_recordset(p_lines) as l (kind text, account integer, amount_ore bigint)
        union all select u.account, u.ore from jsonb_to_recordset(p_lines) as l (amount_ore bigint, reverse_charge_vat_ore bigint)
        cross join lateral (values (4535, l.amount_ore::numeric), (4598, -l.amount_ore), (2614, l.reverse_charge_vat_ore),
          (2645, -l.reverse_charge_vat_ore)) as u (account, ore)
        where l.reverse_charge_vat_ore <> 0) as said
      group by said.account having sum(said.ore) is distinct from 0) then
    raise exception 'the voucher is not the lines' using errcode = 'HB405';
  end if;
  -- Whoever sends the same at once waits, and hears that it is known.
  perform pg_advisory_xact_lock(hashtextextended(
    'provider settlement ' || lower(v_new.provider) || ' ' || lower(v_new.number), 0));
  select * into v_known from bank.provider_settlements s
  where lower(s.provider) = lower(v_new.provider) and lower(s.number) = lower(v_new.number) and s.taken_back_by is null;
  if found then
    outcome := case when v_known.content_hash = v_new.content_hash then 'known' else 'differs' end;
    id := v_known.id;
    voucher_id := v_known.voucher_id;
    return next;
    return;
  end if;
  select p.* into strict v_posted from (
    select array_agg(1 order by r.no) as item, array_agg(r.no::integer order by r.no) as no,
      array_agg(r.account order by r.no) as account, array_agg(r.debit_ore order by r.no) as debit,
      array_agg(r.credit_ore order by r.no) as credit, array_agg(r.note order by r.no) as note,
      array_agg(null::uuid) as nothing
    from rows from (jsonb_to_recordset(p_rows) as (account integer, debit_ore bigint, credit_ore bigint, note text))
      with ordinality as r (account, debit_ore, credit_ore, note, no)) as r
  cross join lateral ledger.post_vouchers(array[v_new.voucher_id], array['A'], array[v_new.day],
    array[left('Avräkning ' || v_new.provider || ' ' || v_new.number, 500)], array[v_new.provider],
    array['provider_settlement'], array[p_actor], array[p_request_id], r.item, r.no, r.account, r.debit, r.credit,
    r.note, r.nothing, r.nothing) as p;
  outcome := coalesce(v_posted.error, 'posted');
  detail := v_posted.detail;
  if v_posted.error is null then
    insert into bank.provider_settlements (id, provider, number, day, account, payout_ore, payout_reference, country,
      content_hash, voucher_id, created_by)
    values (v_new.id, v_new.provider, v_new.number, v_new.day, v_new.account, v_new.payout_ore, v_new.payout_reference,
      v_new.country, v_new.content_hash, v_new.voucher_id, p_actor);
    insert into bank.provider_settlement_lines (settlement_id, place, kind, amount_ore, account, reverse_charge_vat_ore,
      text, reference)
    select v_new.id, l.place, l.kind, l.amount_ore, l.account, l.reverse_charge_vat_ore, l.text, l.reference
    from rows from (jsonb_to_recordset(p_lines) as (kind text, amount_ore bigint, account integer,
      reverse_charge_vat_ore bigint, text text, reference text))
      with ordinality as l (kind, amount_ore, account, reverse_charge_vat_ore, text, reference, place);
    insert into audit.events (id, occurred_at, actor, action, subject, detail)
    values (gen_random_uuid(), clock_timestamp(), p_actor, 'provider_settlement.booked', v_new.id::text,
      jsonb_build_object('provider', v_new.provider, 'number', v_new.number, 'voucher_id', v_new.voucher_id));
    if v_document is not null then
      insert into archive.contents (sha256, bytes) values (sha256(v_document), v_document) on conflict do nothing;
      insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type, created_by)
      values (v_attachment_id, v_new.voucher_id, sha256(v_document),
        'avrakning-' || left(regexp_replace(v_new.number, '[^[:alnum:]._-]', '_', 'g'), 100) || '.json', 'text/plain', p_actor);
      insert into audit.events (id, occurred_at, actor, action, subject, detail)
      values (gen_random_uuid(), clock_timestamp(), p_actor, 'attachment.added', v_new.voucher_id::text,
        jsonb_build_object('attachment_id', v_attachment_id, 'sha256', encode(sha256(v_document), 'hex')));
    end if;
    id := v_new.id;
    voucher_id := v_new.voucher_id;
  end if;
  return next;
end $$;
