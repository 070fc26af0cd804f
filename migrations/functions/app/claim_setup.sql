-- Begins the set-up: holds everybody else who would make a user, and presents the token for the rest of
-- the transaction. False when it opens nothing, as for the second of two at once.
create or replace function app.claim_setup(p_hash bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table restricted.users in share row exclusive mode;
  if not app.is_setup_token(p_hash) then return false; end if;
  update restricted.setup_tokens set claimed_by = pg_current_xact_id() where hash = p_hash;
  perform set_config('huvudbok.session', encode(p_hash, 'hex'), true);
  return true;
end $$;
