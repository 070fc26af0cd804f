-- Orders are known by their externalId without the space around it and in the Unicode form NFC, so that
-- one number sent in two spellings never becomes two invoices; as it came it is kept beside. Rewrites
-- the few orders that came in another spelling. Locks orders for as long (a second for a million).

alter table intake.orders
  -- An order whose number turned out to be that of another, which speaks for both. Only orders from
  -- before this migration: since then one number is one order.
  add column same_as uuid,
  add constraint orders_same_as_fkey foreign key (same_as) references intake.orders,
  add constraint orders_same_as_is_known_otherwise check ((identity like 'same:%') = (same_as is not null));

-- As before (0006), but asked for by identity, which the result tells too.
drop function api.reconcile_orders(text[], bytea[]);
create function api.reconcile_orders(p_identity text[], p_sha256 bytea[])
returns table (identity text, sha256 text, status text, order_id uuid, invoice_id uuid,
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
    select o.identity, encode(a.sha256, 'hex'),
      case when o.invoice_id is not null then 'draft' else a.status end, o.id, o.invoice_id,
      o.customer_id, case when o.invoice_id is null then a.reason end, a.received_at
    from intake.order_attempts a
    cross join lateral (select same_as from intake.orders where id = a.order_id limit 1) as sent
    join intake.orders o on o.id = coalesce(sent.same_as, a.order_id)
    where exists (select from intake.order_senders s
        where s.order_id = a.order_id and s.key_id = v_key_id)
      and (o.identity = any (p_identity) or a.sha256 = any (p_sha256))
    order by a.received_at, a.id;
end $$;

-- As before (0006); the invoice is that of the order which speaks for it.
create or replace function api.order_outcomes(p_hash bytea[], p_order_id uuid[], p_attempt_id uuid[])
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
  left join intake.orders sent on key.refusal is null and sent.id = i.order_id
  left join intake.orders o on o.id = coalesce(sent.same_as, sent.id)
  left join intake.order_attempts a on a.order_id = sent.id and a.id = i.attempt_id
$$;

-- Existing orders. Of several with one number the one with an invoice goes on, else the first; the others
-- wait for nobody. What JavaScript's trim() takes for space is spelt out.
create function intake.identity_of(p_external_id text) returns text language sql immutable
set search_path = pg_catalog, pg_temp as $$
  select 'id:' || btrim(normalize(p_external_id, nfc),
    E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
      || E'\u2028\u2029\u202f\u205f\u3000\ufeff')
$$;
update intake.orders o set identity = 'same:' || o.id, same_as = s.first_id,
  is_dismissed = o.invoice_id is null
from (select id, row_number() over of_number as place, first_value(id) over of_number as first_id
    from intake.orders where external_id is not null and same_as is null
    window of_number as (partition by intake.identity_of(external_id)
      order by invoice_id is null, created_at, id)) as s
where s.id = o.id and s.place > 1;
update intake.orders set identity = intake.identity_of(external_id)
where external_id is not null and same_as is null and identity <> intake.identity_of(external_id);
drop function intake.identity_of;
