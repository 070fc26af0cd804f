-- What key traffic (role hb_api) can do. It reaches no table of restricted or intake, and reads the
-- books only where a policy finds, anew in every statement, a living key with the right scope.

create schema api;

-- The key whose SHA-256 the connection has set as `huvudbok.credential`. One must know a secret to
-- name its hash, so a made-up setting opens nothing. Raises HB401 (no such key, or expired), HB402
-- (revoked) or HB403 (scope missing); true otherwise, so that it can stand in a policy.
create function api.require_key(p_scope text default null) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_key restricted.api_keys;
begin
  select * into v_key from restricted.api_keys
  where hash = decode(nullif(current_setting('huvudbok.credential', true), ''), 'hex');
  if not found or v_key.expires_at <= now() then
    raise exception 'no valid key' using errcode = 'HB401';
  elsif v_key.revoked_at is not null then
    raise exception 'the key is revoked' using errcode = 'HB402';
  elsif p_scope is not null and not p_scope = any (v_key.scopes) then
    raise exception 'the key lacks scope %', p_scope using errcode = 'HB403';
  end if;
  return true;
end $$;

alter table ledger.vouchers enable row level security;
alter table ledger.voucher_rows enable row level security;
alter table ledger.fiscal_years enable row level security;
alter table ledger.locks enable row level security;
create policy key_reads on ledger.vouchers for select to hb_api
  using ((select api.require_key('data:read')));
create policy key_reads on ledger.voucher_rows for select to hb_api
  using ((select api.require_key('data:read')));
create policy key_reads on ledger.fiscal_years for select to hb_api
  using ((select api.require_key()));
create policy key_reads on ledger.locks for select to hb_api
  using ((select api.require_key()));
create policy worker_reads on ledger.vouchers for select to hb_worker using (true);
create policy worker_reads on ledger.voucher_rows for select to hb_worker using (true);
create policy worker_reads on ledger.fiscal_years for select to hb_worker using (true);
create policy worker_reads on ledger.locks for select to hb_worker using (true);

-- Lets calls in, many at once: who the key is, whether it may, and its quota. A key's window opens
-- with its first call and lasts an hour; the counter is exact across all processes because it is
-- this row. Losing the last moments of counting in a power cut is fine, so nobody waits for the disk.
create function api.admit(p_hash bytea[], p_scopes text[])
returns table (item integer, outcome text, key_id uuid, name text, scopes text[], quota integer,
  used bigint, seconds_left integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_items constant integer := cardinality(p_hash);
  v_configured boolean := exists (select from restricted.company)
    and exists (select from ledger.fiscal_years);
  v_key restricted.api_keys;
  v_keys restricted.api_keys[] := '{}';
  v_outcomes text[] := '{}';
  v_outcome text;
  -- Of each key with admitted calls: how many they are, and its window as it then stands.
  v_ids uuid[] := '{}';
  v_calls bigint[] := '{}';
  v_used bigint[] := '{}';
  v_opened timestamptz[] := '{}';
  v_window restricted.key_windows;
  k integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  for i in 1..c_items loop
    if i = 1 or p_hash[i] <> p_hash[i - 1] then
      select * into v_key from restricted.api_keys where hash = p_hash[i];
    end if;
    v_outcome := case
      when v_key.id is null then 'unauthorized'
      when v_key.revoked_at is not null then 'key_revoked'
      when v_key.expires_at <= now() then 'key_expired'
      when not v_configured then 'server_misconfigured'
      when not v_key.scopes @> string_to_array(p_scopes[i], ' ') then 'insufficient_scope'
      else 'admitted' end;
    if v_outcome = 'admitted' then
      k := array_position(v_ids, v_key.id);
      if k is null then
        v_ids := v_ids || v_key.id;
        v_calls := v_calls || 1::bigint;
      else
        v_calls[k] := v_calls[k] + 1;
      end if;
    end if;
    v_keys := v_keys || v_key;
    v_outcomes := v_outcomes || v_outcome;
  end loop;

  -- In key order, so that two batches never wait for each other crosswise.
  v_used := array_fill(0::bigint, array[cardinality(v_ids)]);
  v_opened := array_fill(null::timestamptz, array[cardinality(v_ids)]);
  for i in 1..cardinality(v_ids) loop
    k := array_position(v_ids, (select id from unnest(v_ids) as u (id) order by id offset i - 1 limit 1));
    insert into restricted.key_windows as w (key_id, opened_at, used, last_used_at)
    values (v_ids[k], now(), v_calls[k], now())
    on conflict (key_id) do update set
      used = excluded.used + case when w.opened_at > now() - interval '1 hour' then w.used else 0 end,
      opened_at = case when w.opened_at > now() - interval '1 hour' then w.opened_at else now() end,
      last_used_at = now()
    returning w.* into v_window;
    v_used[k] := v_window.used - v_calls[k];
    v_opened[k] := v_window.opened_at;
  end loop;

  for i in 1..c_items loop
    item := i;
    outcome := v_outcomes[i];
    key_id := v_keys[i].id;
    name := v_keys[i].name;
    scopes := v_keys[i].scopes;
    quota := v_keys[i].quota_per_hour;
    used := null;
    seconds_left := null;
    if outcome = 'admitted' then
      k := array_position(v_ids, key_id);
      v_used[k] := v_used[k] + 1;
      used := v_used[k];
      seconds_left := greatest(1, ceil(extract(epoch from v_opened[k] + interval '1 hour' - now())));
      if used > quota then outcome := 'rate_limited'; end if;
    end if;
    return next;
  end loop;
end $$;

-- Counts calls that showed no valid key and says how many their sender has made this hour, and when the
-- hour is over. An IPv6 sender has a whole /64 to itself, so that is what is counted.
create function api.count_failures(p_address inet[])
returns table (item integer, used bigint, seconds_left integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform set_config('synchronous_commit', 'off', true);
  return query
    with failed as materialized (
      select i.item::integer as item, case family(i.address)
        when 6 then network(set_masklen(i.address, 64))::inet else host(i.address)::inet end as sender
      from unnest(p_address) with ordinality as i (address, item)
    ), counted as (
      insert into restricted.address_windows as w (address, purpose, opened_at, used)
      select f.sender, 'no_valid_key', now(), count(*) from failed f group by 1 order by 1
      on conflict (address, purpose) do update set
        used = excluded.used + case when w.opened_at > now() - interval '1 hour' then w.used else 0 end,
        opened_at = case when w.opened_at > now() - interval '1 hour' then w.opened_at else now() end
      returning w.address, w.used, w.opened_at
    )
    select f.item, c.used,
      greatest(1, ceil(extract(epoch from c.opened_at + interval '1 hour' - now())))::integer
    from failed f join counted c on c.address = f.sender;
end $$;

-- What `meta` tells of the installation beyond the tables a key may read.
create function api.installation()
returns table (schema_version integer, vat_period text, vat_large_taxpayer boolean, vat_yearly text,
  vat_digital boolean, vouchers bigint, head_hash bytea)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform api.require_key();
  return query
    select (select count(*)::integer from migration.applied), c.vat_period, c.vat_large_taxpayer,
      c.vat_yearly, c.vat_digital, head.vouchers, head.hash
    from restricted.company c
    cross join (
      select coalesce(sum(s.last_number), 0)::bigint as vouchers,
        sha256(coalesce(string_agg(s.last_hash, ''::bytea order by s.id), ''::bytea)) as hash
      from ledger.series s) as head;
end $$;

-- POST /api/v1/verifikat, many calls at once: the key again (it may have been revoked since it was
-- let in), then idempotency, then the ledger, and the answer stored beside the voucher. No two calls
-- of one batch share key and Idempotency-Key; if they did, the primary key would stop them all.
--   outcome  posted | replayed | idempotency_conflict | idempotency_in_progress | unauthorized |
--            key_revoked | insufficient_scope | unprocessable | period_locked
create function api.post_vouchers(
  p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[],
  p_base_url text, p_id uuid[], p_series text[], p_date date[], p_description text[],
  p_counterparty text[], p_source text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[], p_row_project uuid[]
) returns table (item integer, outcome text, response text, detail jsonb, first_request_id uuid,
  first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_route constant text := 'POST /api/v1/verifikat';
  c_items constant integer := cardinality(p_id);
  v_key restricted.api_keys;
  v_key_id uuid[] := array_fill(null::uuid, array[c_items]);
  v_actor text[] := array_fill(null::text, array[c_items]);
  v_outcome text[] := array_fill(null::text, array[c_items]);
  v_skip boolean[] := array_fill(true, array[c_items]);
  v_stored restricted.idempotency;
  v_posted record;
begin
  -- A revocation waits for this transaction, or this one for it and then sees it: once a revocation has
  -- committed, nothing is posted with the key. Shared row locks would not do: they are granted past
  -- one who waits, so under a steady load a revocation waited for ever (tried).
  lock table restricted.api_keys in row share mode;
  for i in 1..c_items loop
    if i = 1 or p_hash[i] <> p_hash[i - 1] then
      select * into v_key from restricted.api_keys where hash = p_hash[i];
    end if;
    v_key_id[i] := v_key.id;
    v_actor[i] := 'key:' || v_key.id;
    v_outcome[i] := case
      when v_key.id is null or v_key.expires_at <= now() then 'unauthorized'
      when v_key.revoked_at is not null then 'key_revoked'
      when not v_key.scopes @> array['ledger:write', 'data:read'] then 'insufficient_scope'
      -- A call whose key another transaction is processing is told so instead of waiting for it.
      when not pg_try_advisory_xact_lock(
        hashtextextended(c_route || v_key.id || p_idempotency_key[i], 0)) then 'idempotency_in_progress'
      end;
    if v_outcome[i] is null then
      select * into v_stored from restricted.idempotency s
      where s.key_id = v_key_id[i] and s.route = c_route and s.idempotency_key = p_idempotency_key[i];
      if found then
        v_outcome[i] := case when v_stored.request_hash = p_request_hash[i]
          then 'replayed' else 'idempotency_conflict' end;
      else
        v_skip[i] := false;
      end if;
    end if;
  end loop;

  for v_posted in
    select * from ledger.post_vouchers(p_id, p_series, p_date, p_description, p_counterparty, p_source,
      v_actor, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit, p_row_note,
      p_row_cost_center, p_row_project, v_skip)
  loop
    item := v_posted.item;
    outcome := coalesce(v_outcome[item], v_posted.error, 'posted');
    detail := v_posted.detail;
    response := null;
    first_request_id := null;
    first_seen_at := null;
    first_request := null;
    if outcome = 'posted' then
      response := format('{"id":"%s","series":%s,"number":%s,"label":%s,"verification_date":"%s","url":%s}',
        p_id[item], to_json(p_series[item]), v_posted.number, to_json(p_series[item] || v_posted.number),
        p_date[item], to_json(p_base_url || '/verifikat/' || p_id[item]));
      insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request,
        request_id, status, response)
      values (v_key_id[item], c_route, p_idempotency_key[item], p_request_hash[item], p_request[item],
        p_request_id[item], 200, response);
    elsif outcome in ('replayed', 'idempotency_conflict') then
      select case when outcome = 'replayed' then s.response end, s.request_id, s.created_at,
        case when outcome = 'idempotency_conflict' then s.request end
      into response, first_request_id, first_seen_at, first_request
      from restricted.idempotency s
      where s.key_id = v_key_id[item] and s.route = c_route
        and s.idempotency_key = p_idempotency_key[item];
    end if;
    return next;
  end loop;
end $$;

-- Orders come in, many at once: bytes, hash and job in one commit. An order that has its invoice is
-- not stored again, nor is a body that was stored before.
create function api.store_orders(
  p_hash bytea[], p_identity text[], p_external_id text[], p_raw bytea[], p_sha256 bytea[],
  p_order_id uuid[], p_attempt_id uuid[], p_request_id uuid[]
) returns table (item integer, outcome text, order_id uuid, attempt_id uuid, is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_outcome text[];
  v_new uuid[];
begin
  -- As for vouchers: nothing is taken in after the key's revocation has committed.
  lock table restricted.api_keys in row share mode;
  select array_agg(k.id order by i.item), array_agg(case
      when k.id is null or k.expires_at <= now() then 'unauthorized'
      when k.revoked_at is not null then 'key_revoked'
      when not 'intake:write' = any (k.scopes) then 'insufficient_scope' end order by i.item)
  into v_key_id, v_outcome
  from unnest(p_hash) with ordinality as i (hash, item)
  left join restricted.api_keys k on k.hash = i.hash;

  insert into intake.orders (id, identity, external_id)
  select distinct on (i.identity) i.id, i.identity, i.external_id
  from unnest(p_order_id, p_identity, p_external_id, v_outcome) with ordinality
    as i (id, identity, external_id, outcome, item)
  where i.outcome is null order by i.identity, i.item
  on conflict (identity) do nothing;

  insert into intake.order_senders (key_id, order_id)
  select distinct i.key_id, o.id
  from unnest(v_key_id, p_identity, v_outcome) as i (key_id, identity, outcome)
  cross join lateral (select id from intake.orders where identity = i.identity limit 1) as o
  where i.outcome is null order by 2, 1
  on conflict do nothing;

  with added as (
    insert into intake.order_attempts (id, order_id, raw, sha256, key_id, request_id)
    select i.id, o.id, i.raw, i.sha256, i.key_id, i.request_id
    from unnest(p_attempt_id, p_identity, p_raw, p_sha256, v_key_id, p_request_id, v_outcome)
      with ordinality as i (id, identity, raw, sha256, key_id, request_id, outcome, item)
    cross join lateral (select * from intake.orders where identity = i.identity limit 1) as o
    where i.outcome is null and o.invoice_id is null
    order by o.id, i.item
    on conflict (order_id, sha256) do nothing
    returning id
  )
  select array_agg(id) into v_new from added;
  -- An order that has waited this long has lost its job (it lies in the dead letters): sending the order
  -- again gives it a new one. Judging it twice changes nothing.
  select v_new || array_agg(distinct a.id) into v_new
  from unnest(p_identity, p_sha256, v_outcome) as i (identity, sha256, outcome)
  cross join lateral (select id from intake.orders where identity = i.identity limit 1) as o
  cross join lateral (select id from intake.order_attempts
    where order_id = o.id and sha256 = i.sha256 and status = 'received'
      and received_at < now() - interval '5 minutes' limit 1) as a
  where i.outcome is null;
  if v_new is not null then
    perform intake.enqueue('order-intake',
      (select array_agg(jsonb_build_object('attemptId', n.id)) from unnest(v_new) as n (id)));
  end if;

  return query
    select i.item::integer, coalesce(i.outcome, 'stored'), o.id, a.id, a.id = i.attempt_id
    from unnest(v_outcome, p_identity, p_sha256, p_attempt_id) with ordinality
      as i (outcome, identity, sha256, attempt_id, item)
    left join lateral (select * from intake.orders
      where i.outcome is null and identity = i.identity limit 1) as o on true
    left join lateral (select * from intake.order_attempts
      where order_id = o.id and sha256 = i.sha256 limit 1) as a on true;
end $$;

-- How orders stand, for the calls that wait for them: the key again, because it may have been revoked
-- meanwhile. The order's invoice wins over the attempt's own fate: an order that has become an invoice
-- is answered with it, whatever body came later.
create function api.order_outcomes(p_hash bytea[], p_order_id uuid[], p_attempt_id uuid[])
returns table (item integer, refusal text, status text, order_id uuid, external_id text,
  invoice_id uuid, customer_id uuid, attempt_id uuid, reason text, detail jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select i.item::integer, key.refusal,
    case when o.invoice_id is not null and a.status is distinct from 'duplicate'
      then 'draft' else a.status end,
    o.id, o.external_id, o.invoice_id, o.customer_id, a.id, a.reason, a.detail
  from unnest(p_hash, p_order_id, p_attempt_id) with ordinality
    as i (hash, order_id, attempt_id, item)
  left join restricted.api_keys k on k.hash = i.hash
  cross join lateral (select case
      when k.id is null or k.expires_at <= now() then 'unauthorized'
      when k.revoked_at is not null then 'key_revoked'
      when not 'intake:write' = any (k.scopes) then 'insufficient_scope' end as refusal) as key
  left join intake.orders o on key.refusal is null and o.id = i.order_id
  left join intake.order_attempts a on a.order_id = o.id and a.id = i.attempt_id
$$;

-- POST /api/inbound/avstamning: what became of the orders that this very key sent.
create function api.reconcile_orders(p_external_id text[], p_sha256 bytea[])
returns table (external_id text, sha256 text, status text, order_id uuid, invoice_id uuid,
  customer_id uuid, reason text, received_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_key_id uuid;
begin
  perform api.require_key('intake:write');
  select id into v_key_id from restricted.api_keys
  where hash = decode(current_setting('huvudbok.credential'), 'hex');
  return query
    select o.external_id, encode(a.sha256, 'hex'),
      case when o.invoice_id is not null then 'draft' else a.status end, o.id, o.invoice_id,
      o.customer_id, case when o.invoice_id is null then a.reason end, a.received_at
    from intake.order_attempts a join intake.orders o on o.id = a.order_id
    where exists (select from intake.order_senders s where s.order_id = o.id and s.key_id = v_key_id)
      and (o.identity = any (select 'id:' || e from unnest(p_external_id) as e)
        or a.sha256 = any (p_sha256))
    order by a.received_at, a.id;
end $$;
