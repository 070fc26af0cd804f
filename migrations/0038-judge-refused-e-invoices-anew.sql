-- **E-invoices that were refused** are judged anew when they come again, and people may take them in: the
-- envelope, the company's numbers and the rules may all be others by then. What became a draft stays one
-- draft. One column (no rewrite), two indexes built while the inbox waits, three functions replaced.

alter table intake.e_invoices
  -- When it was last put up to be judged.
  add column queued_at timestamptz not null default now(),
  drop constraint e_invoices_content_key;
-- A content waits, or is a draft, once; it may have been refused in several envelopes.
create unique index e_invoices_content_key on intake.e_invoices (sha256) where status <> 'rejected';
create index e_invoices_refused_content on intake.e_invoices (sha256) where status = 'rejected';

-- What came stays as it came, and a draft stays that draft. A refusal may be lifted, to be judged anew. A
-- body that was no document had a hash of its own before 0038, and gets that of its content then.
create or replace function intake.freeze_e_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'UPDATE'
      or (new.id, new.size, new.received_at, new.key_id, new.request_id)
        is distinct from (old.id, old.size, old.received_at, old.key_id, old.request_id)
      or old.status = 'draft' or (old.status = 'rejected' and new.status <> 'received')
      or (new.sha256 is distinct from old.sha256
        and (old.status, old.reason) is distinct from ('rejected', 'unreadable_body')) then
    raise exception 'what was received is never changed'
      using errcode = 'HB001', constraint = 'e_invoices_are_frozen';
  end if;
  return new;
end $$;
drop trigger e_invoices_are_frozen on intake.e_invoices;
create trigger e_invoices_are_frozen before update of id, sha256, size, key_id, request_id,
  received_at, status, reason, detail, draft_id, answer, decided_at, queued_at or delete
  on intake.e_invoices for each row execute function intake.freeze_e_invoice();
create trigger e_invoices_keep_their_bytes before update of raw on intake.e_invoices
  for each statement execute function intake.refuse_change();

-- One at a time decides what becomes of a content, until commit. In one order, so that two who decide
-- about the same contents never wait for each other.
create function intake.hold_contents(p_sha256 bytea[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('intake.e_invoices'), held.content)
  from (select distinct hashtext(encode(sha256, 'hex')) as content from unnest(p_sha256) as s (sha256)
    where sha256 is not null order by content) as held;
end $$;

-- Judged anew, it may have become a draft: whoever follows the events looks again.
create function events.note_e_invoice_again() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into events.outbox (type, subject) values ('e_invoice.received', new.id);
  return null;
end $$;
create trigger e_invoices_tell_again after update of status on intake.e_invoices
  for each row when (old.status = 'rejected' and new.status <> 'rejected')
  execute function events.note_e_invoice_again();

-- POST /api/inbound/peppol (0012). A content that waits or is a draft is that one; one that was refused in
-- these very bytes is put up again; any other is kept as a new one. A p_reason is why the door refused it:
-- kept, once, but no job.
create or replace function api.store_e_invoices(p_hash bytea[], p_id uuid[], p_sha256 bytea[],
  p_raw bytea[], p_size bigint[], p_request_id uuid[], p_reason text[], p_detail jsonb[])
returns table (item integer, outcome text, id uuid, is_new boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_key_id uuid[];
  v_refusal text[];
  v_jobs uuid[];
  v_lost uuid[];
begin
  lock table restricted.api_keys in row share mode;
  select array_agg(r.key_id order by r.item), array_agg(r.refusal order by r.item)
  into v_key_id, v_refusal from restricted.intake_refusals(p_hash) r;
  perform intake.hold_contents(p_sha256);

  -- Refused at the door: kept for a person to see, unless these bytes are here already.
  insert into intake.e_invoices (id, sha256, raw, size, key_id, request_id, status, reason, detail,
    decided_at)
  select distinct on (coalesce(i.sha256, uuid_send(i.id))) i.id, i.sha256, i.raw, i.size, i.key_id,
    i.request_id, 'rejected', i.reason, i.detail, now()
  from unnest(p_id, p_sha256, p_raw, p_size, v_key_id, p_request_id, p_reason, p_detail, v_refusal)
    with ordinality as i (id, sha256, raw, size, key_id, request_id, reason, detail, refusal, item)
  where i.refusal is null and i.reason is not null
    and not exists (select from intake.e_invoices e where e.sha256 = i.sha256 and e.raw = i.raw)
  order by coalesce(i.sha256, uuid_send(i.id)), i.item;

  with sent as (
    select distinct on (i.sha256) i.sha256, e.id
    from unnest(p_sha256, p_raw, p_reason, v_refusal) with ordinality
      as i (sha256, raw, reason, refusal, item)
    join intake.e_invoices e on e.sha256 = i.sha256 and e.status = 'rejected' and e.raw = i.raw
    where i.refusal is null and i.reason is null
      and not exists (select from intake.e_invoices l where l.sha256 = i.sha256 and l.status <> 'rejected')
    order by i.sha256, i.item, e.received_at desc
  ), again as (
    update intake.e_invoices e set status = 'received', reason = null, detail = null, decided_at = null,
      queued_at = now()
    from sent s where e.id = s.id returning e.id
  )
  select array_agg(a.id) into v_jobs from again a;

  with added as (
    insert into intake.e_invoices as e (id, sha256, raw, size, key_id, request_id, status)
    select distinct on (i.sha256) i.id, i.sha256, i.raw, i.size, i.key_id, i.request_id, 'received'
    from unnest(p_id, p_sha256, p_raw, p_size, v_key_id, p_request_id, p_reason, v_refusal)
      with ordinality as i (id, sha256, raw, size, key_id, request_id, reason, refusal, item)
    where i.refusal is null and i.reason is null
    order by i.sha256, i.item
    on conflict (sha256) where status <> 'rejected' do nothing
    returning e.id
  )
  select coalesce(v_jobs, '{}') || coalesce(array_agg(a.id), '{}') into v_jobs from added a;

  -- A document that has waited this long has lost its job: sending it again gives it a new one.
  select coalesce(array_agg(distinct e.id), '{}') into v_lost
  from unnest(p_sha256, v_refusal) as i (sha256, refusal)
  cross join lateral (select e.id from intake.e_invoices e where e.sha256 = i.sha256
    and e.status = 'received' and e.queued_at < now() - interval '5 minutes' limit 1) as e
  where i.refusal is null;
  if cardinality(v_jobs || v_lost) > 0 then
    perform intake.enqueue('e-invoice-intake',
      (select array_agg(jsonb_build_object('documentId', j.id)) from unnest(v_jobs || v_lost) as j (id)));
  end if;

  -- New is what is to be judged because of this call; the same content beside it in the batch is not.
  return query
    select i.item::integer, coalesce(i.refusal, 'stored'), coalesce(e.id, i.id),
      coalesce(e.id = any (v_jobs) and row_number() over (partition by e.id, i.reason is null
        order by i.item) = 1, true)
    from unnest(v_refusal, p_id, p_sha256, p_raw, p_reason) with ordinality
      as i (refusal, id, sha256, raw, reason, item)
    left join lateral (select e.id from intake.e_invoices e
      where i.refusal is null and e.sha256 = i.sha256
        and (e.status <> 'rejected' or (i.reason is not null and e.raw = i.raw))
      order by e.status = 'rejected' limit 1) as e on true
    order by 1;
end $$;
