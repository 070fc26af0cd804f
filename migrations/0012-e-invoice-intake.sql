-- E-invoices as they came: the bytes first, then what the worker made of them. New tables and functions.

-- Known by the bytes of the invoice itself: the same invoice in another envelope is the same invoice. A
-- body that was no document at all is known by its bytes and content type together.
-- What was refused at the door is here too, so that a person sees it; of what was too large, only that.
create table intake.e_invoices (
  id uuid not null,
  sha256 bytea,
  raw bytea,
  size bigint not null,
  key_id uuid not null,
  request_id uuid not null,
  received_at timestamptz not null default now(),
  status text not null default 'received',
  reason text,
  -- message, and where in the document.
  detail jsonb,
  draft_id uuid,
  -- What the first sender was answered; whoever sends it again is answered the same.
  answer jsonb,
  decided_at timestamptz,
  constraint e_invoices_pkey primary key (id),
  constraint e_invoices_content_key unique (sha256),
  constraint e_invoices_key_fkey foreign key (key_id) references restricted.api_keys,
  constraint e_invoices_draft_key unique (draft_id),
  constraint e_invoices_draft_fkey foreign key (draft_id) references purchases.invoices,
  constraint e_invoices_status_known check (status in ('received', 'draft', 'rejected')),
  constraint e_invoices_rejection_has_reason check ((status = 'rejected') = (reason is not null)),
  constraint e_invoices_draft_is_answered check (status <> 'draft'
    or (draft_id is not null and answer is not null)),
  constraint e_invoices_bytes_are_kept check ((raw is null) = (reason is not null
    and reason = 'payload_too_large'))
);
create index e_invoices_waiting on intake.e_invoices (received_at) where status = 'received';
create index e_invoices_rejected on intake.e_invoices (received_at) where status = 'rejected';
alter table intake.e_invoices alter column raw set storage external;

create function intake.freeze_e_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE' or (new.id, new.sha256, new.size, new.received_at, new.key_id, new.request_id)
      is distinct from (old.id, old.sha256, old.size, old.received_at, old.key_id, old.request_id)
      or old.status <> 'received' then
    raise exception 'what was received is never changed'
      using errcode = 'HB001', constraint = 'e_invoices_are_frozen';
  end if;
  return new;
end $$;
create trigger e_invoices_are_frozen before update of id, sha256, raw, size, key_id, request_id,
  received_at, status, reason, detail, draft_id, answer, decided_at or delete on intake.e_invoices
  for each row execute function intake.freeze_e_invoice();
create trigger e_invoices_are_never_emptied before truncate on intake.e_invoices
  for each statement execute function intake.freeze_e_invoice();

-- Why a key may not send e-invoices; null when it may. Nothing is taken in after a revocation commits.
create function restricted.intake_refusals(p_hash bytea[])
returns table (item bigint, key_id uuid, refusal text)
language sql set search_path = pg_catalog, pg_temp as $$
  select i.item, k.id, case
    when k.id is null or k.expires_at <= now() then 'unauthorized'
    when k.revoked_at is not null then 'key_revoked'
    when not 'intake:write' = any (k.scopes) then 'insufficient_scope' end
  from unnest(p_hash) with ordinality as i (hash, item)
  left join restricted.api_keys k on k.hash = i.hash
$$;

-- POST /api/inbound/peppol: bytes, hash and job of many documents in one commit. A p_reason is why the
-- door refused it: kept, but no job.
create function api.store_e_invoices(p_hash bytea[], p_id uuid[], p_sha256 bytea[], p_raw bytea[],
  p_size bigint[], p_request_id uuid[], p_reason text[], p_detail jsonb[])
returns table (item integer, outcome text, id uuid, is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_refusal text[];
  v_jobs uuid[];
begin
  lock table restricted.api_keys in row share mode;
  select array_agg(r.key_id order by r.item), array_agg(r.refusal order by r.item)
  into v_key_id, v_refusal from restricted.intake_refusals(p_hash) r;

  with added as (
    insert into intake.e_invoices as e (id, sha256, raw, size, key_id, request_id, status, reason, detail,
      decided_at)
    select distinct on (coalesce(i.sha256, uuid_send(i.id))) i.id, i.sha256, i.raw, i.size, i.key_id,
      i.request_id, case when i.reason is null then 'received' else 'rejected' end, i.reason, i.detail,
      case when i.reason is not null then now() end
    from unnest(p_id, p_sha256, p_raw, p_size, v_key_id, p_request_id, p_reason, p_detail, v_refusal)
      with ordinality as i (id, sha256, raw, size, key_id, request_id, reason, detail, refusal, item)
    where i.refusal is null order by coalesce(i.sha256, uuid_send(i.id)), i.item
    on conflict (sha256) do nothing
    returning e.id, e.status
  )
  select array_agg(a.id) into v_jobs from added a where a.status = 'received';
  -- A document that has waited this long has lost its job: sending it again gives it a new one.
  select v_jobs || array_agg(distinct e.id) into v_jobs
  from unnest(p_sha256, v_refusal) as i (sha256, refusal)
  cross join lateral (select e.id from intake.e_invoices e where e.sha256 = i.sha256
    and e.status = 'received' and e.received_at < now() - interval '5 minutes' limit 1) as e
  where i.refusal is null;
  if v_jobs is not null then
    perform intake.enqueue('e-invoice-intake',
      (select array_agg(jsonb_build_object('documentId', j.id)) from unnest(v_jobs) as j (id)));
  end if;

  return query
    select i.item::integer, coalesce(i.refusal, 'stored'), coalesce(e.id, i.id), coalesce(e.id = i.id, true)
    from unnest(v_refusal, p_id, p_sha256) with ordinality as i (refusal, id, sha256, item)
    left join lateral (select e.id from intake.e_invoices e
      where i.refusal is null and e.sha256 = i.sha256 limit 1) as e on true
    order by 1;
end $$;

-- How documents stand, for the calls that wait: the key again, because it may have been revoked meanwhile.
create function api.e_invoice_outcomes(p_hash bytea[], p_id uuid[])
returns table (item integer, refusal text, id uuid, status text, reason text, detail jsonb, answer jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.item::integer, r.refusal, e.id, e.status, e.reason, e.detail, e.answer
  from restricted.intake_refusals(p_hash) r
  join unnest(p_id) with ordinality as i (id, item) on i.item = r.item
  left join intake.e_invoices e on r.refusal is null and e.id = i.id
  order by 1
$$;

alter table purchases.invoices add constraint invoices_document_fkey
  foreign key (document_id) references intake.e_invoices;
