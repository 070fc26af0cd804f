-- The agency track: keys that an agency exchanges for short-lived tokens, and the one answer a token
-- opens. The login hb_agency reaches nothing but the functions of its schema.

create schema agency;

-- Agencies: only hashes are kept. The key is issued here, in the client's installation.
create table restricted.agency_keys (
  id uuid not null,
  agency text not null,
  hash bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  last_exchanged_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  constraint agency_keys_pkey primary key (id),
  constraint agency_keys_hash_key unique (hash),
  constraint agency_keys_hash_length check (octet_length(hash) = 32),
  constraint agency_keys_agency_length check (char_length(agency) between 1 and 200)
);

create table restricted.agency_tokens (
  hash bytea not null,
  key_id uuid not null,
  expires_at timestamptz not null,
  constraint agency_tokens_pkey primary key (hash),
  constraint agency_tokens_key_fkey foreign key (key_id) references restricted.agency_keys
);
create index agency_tokens_expires_at on restricted.agency_tokens (expires_at);

-- Counts calls by their sender and says how many they have made this hour, and when the hour is over. An
-- IPv6 sender has a whole /64 to itself, so that is what is counted. Losing the last moments of counting
-- in a power cut is fine, so nobody waits for the disk.
create function restricted.count_calls(p_address inet[], p_purpose text)
returns table (item integer, used bigint, seconds_left integer)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  perform set_config('synchronous_commit', 'off', true);
  return query
    with call as materialized (
      select i.item::integer as item, case family(i.address)
        when 6 then network(set_masklen(i.address, 64))::inet else host(i.address)::inet end as sender
      from unnest(p_address) with ordinality as i (address, item)
    ), counted as (
      insert into restricted.address_windows as w (address, purpose, opened_at, used)
      select c.sender, p_purpose, now(), count(*) from call c group by 1 order by 1
      on conflict (address, purpose) do update set
        used = excluded.used + case when w.opened_at > now() - interval '1 hour' then w.used else 0 end,
        opened_at = case when w.opened_at > now() - interval '1 hour' then w.opened_at else now() end
      returning w.address, w.used, w.opened_at
    )
    select c.item, w.used,
      greatest(1, ceil(extract(epoch from w.opened_at + interval '1 hour' - now())))::integer
    from call c join counted w on w.address = c.sender;
end $$;

create or replace function api.count_failures(p_address inet[])
returns table (item integer, used bigint, seconds_left integer)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select * from restricted.count_calls(p_address, 'no_valid_key')
$$;

create function agency.count_call(p_address inet, p_route text)
returns table (used bigint, seconds_left integer)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select c.used, c.seconds_left from restricted.count_calls(array[p_address], p_route) c
$$;

-- unauthorized | key_revoked | valid
create function agency.find_key(p_hash bytea) returns table (outcome text, agency text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when k.id is null then 'unauthorized' when k.revoked_at is not null then 'key_revoked'
    else 'valid' end, k.agency
  from (select 1) as one left join restricted.agency_keys k on k.hash = p_hash
$$;

-- Holds the key, so that no token is made after its revocation. When the token expires, in seconds since
-- 1970; null when the key is gone. A token lost in a power cut is exchanged for anew.
create function agency.create_token(p_key_hash bytea, p_token_hash bytea, p_seconds integer)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_key_id uuid;
  v_expires_at timestamptz := date_trunc('second', now()) + p_seconds * interval '1 second';
begin
  perform set_config('synchronous_commit', 'off', true);
  update restricted.agency_keys set last_exchanged_at = now()
  where hash = p_key_hash and revoked_at is null returning id into v_key_id;
  if not found then return null; end if;
  insert into restricted.agency_tokens (hash, key_id, expires_at)
  values (p_token_hash, v_key_id, v_expires_at);
  return extract(epoch from v_expires_at)::bigint;
end $$;

-- GET /api/stats/byra: counts, dates and names of conditions; no amounts, no names of anybody.
--   outcome  unauthorized (no such token, or expired) | no_access (the key is revoked) | granted
create function agency.aggregate(p_token_hash bytea, p_today date, p_time_zone text)
returns table (outcome text, answer jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  v_token record;
begin
  select t.expires_at > now() as is_alive, k.revoked_at is not null as is_revoked into v_token
  from restricted.agency_tokens t join restricted.agency_keys k on k.id = t.key_id
  where t.hash = p_token_hash;
  outcome := case when v_token.is_alive is not true then 'unauthorized'
    when v_token.is_revoked then 'no_access' else 'granted' end;
  if outcome = 'granted' then
    answer := (select jsonb_build_object(
      'installation_schema_version', (select count(*) from migration.applied),
      'unbooked_count', (select count(*) from sales.invoices i where i.status = 'draft')
        + (select count(*) from purchases.invoices p where p.status in ('new', 'review'))
        + intake.count_stopped_orders('infinity'),
      'attachments_missing', ledger.count_attachments_missing(),
      'unmatched_bank', (select count(*) from bank.transactions t where t.voucher_id is null),
      'last_verification', (select max(v.verification_date) from ledger.vouchers v),
      'period_locked_to', (select l.period_locked_to from ledger.locks l),
      'fiscal_years', (select jsonb_agg(jsonb_build_object('year', y.year, 'start', y.start_date,
        'end', y.end_date, 'status', y.status) order by y.start_date) from ledger.fiscal_years y),
      'vat', (select jsonb_build_object('period', c.vat_period,
        'largeTaxpayer', c.vat_large_taxpayer, 'yearly', c.vat_yearly, 'digital', c.vat_digital)
        from restricted.company c),
      'last_closed_month', m.last_closed_month,
      'open_month', m.open_month,
      'open_month_failing', m.open_month_failing,
      'months_behind', m.months_behind)
    from ledger.month_ends_on(p_today, p_time_zone) m);
  end if;
  return next;
end $$;
