-- Only the hashes of codes are kept; the old ones open nothing from now on.
create or replace function app.replace_recovery_codes(p_user_id uuid, p_hashes bytea[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from restricted.recovery_codes where user_id = p_user_id;
  insert into restricted.recovery_codes (user_id, hash) select p_user_id, sha256(h) from unnest(p_hashes) h;
$$;
