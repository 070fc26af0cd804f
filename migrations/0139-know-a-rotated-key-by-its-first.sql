-- functions: restricted.first_key
-- A caller whose key was rotated is the same caller: their Idempotency-Keys hold with the new key too.
create index api_keys_by_successor on restricted.api_keys (successor_id) where successor_id is not null;

update restricted.idempotency i set key_id = restricted.first_key(i.key_id)
where restricted.first_key(i.key_id) <> i.key_id
  and not exists (select from restricted.idempotency o where o.key_id = restricted.first_key(i.key_id)
    and o.route = i.route and o.idempotency_key = i.idempotency_key);
