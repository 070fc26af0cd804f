-- POST /api/v1/underlag, many calls at once: judged, kept, and remembered as kept. The same content is one
-- document, however often it is sent and whatever is said of it later.
--   outcome  kept | replayed (both with the document's `id` and what is `told`) | as restricted.judge_calls
--   told     {duplicate, status, received_at} of the document as it then was
create or replace function api.store_documents(
  p_hash bytea[], p_idempotency_key text[], p_request_hash bytea[], p_request text[], p_request_id uuid[],
  p_id uuid[], p_sha256 bytea[], p_bytes bytea[], p_file_name text[], p_media_type text[], p_date date[],
  p_amount bigint[], p_counterparty text[]
) returns table (item integer, outcome text, id uuid, told jsonb,
  first_request_id uuid, first_seen_at timestamptz, first_request text)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_route constant text := 'POST /api/v1/underlag';
  v_call record;
  v_document ledger.documents;
  v_is_new boolean;
begin
  perform restricted.require_lists(cardinality(p_id), array_dims(p_hash), array_dims(p_id),
    array_dims(p_idempotency_key), array_dims(p_request), array_dims(p_request_id), array_dims(p_sha256),
    array_dims(p_bytes), array_dims(p_file_name), array_dims(p_media_type), array_dims(p_date),
    array_dims(p_amount), array_dims(p_counterparty));
  for v_call in
    select * from restricted.judge_calls(c_route, array['documents:write'], p_hash, p_idempotency_key,
      p_request_hash)
  loop
    item := v_call.item;
    outcome := coalesce(v_call.outcome, 'kept');
    id := (v_call.stored).made;
    told := (v_call.stored).told;
    first_request_id := (v_call.stored).request_id;
    first_seen_at := (v_call.stored).created_at;
    first_request := case outcome when 'idempotency_conflict' then (v_call.stored).request end;
    if outcome = 'kept' then
      insert into archive.contents (sha256, bytes) values (p_sha256[item], p_bytes[item])
      on conflict do nothing;
      insert into ledger.documents (id, sha256, file_name, media_type, document_date, amount_ore,
        counterparty, created_by)
      values (p_id[item], p_sha256[item], p_file_name[item], p_media_type[item], p_date[item],
        p_amount[item], p_counterparty[item], 'key:' || v_call.key_id)
      on conflict (sha256) do nothing;
      v_is_new := found;
      select * into strict v_document from ledger.documents d where d.sha256 = p_sha256[item];
      id := v_document.id;
      told := jsonb_build_object('duplicate', not v_is_new, 'received_at', v_document.created_at,
        'status', case when v_document.filed_at is not null then 'filed'
          when v_document.set_aside is not null then 'set_aside' else 'waiting' end);
      insert into restricted.idempotency (key_id, route, idempotency_key, request_hash, request, request_id,
        made, told)
      values (restricted.first_key(v_call.key_id), c_route, p_idempotency_key[item], p_request_hash[item], p_request[item],
        p_request_id[item], id, told);
    end if;
    return next;
  end loop;
end $$;
