-- A link of a series' chain: sha256(hash before ‖ number ‖ hash of the content), 32 + 4 + 32 bytes, the
-- number with its highest byte first. Before the first stands first_hash.
create or replace function ledger.seal(p_previous bytea, p_number integer, p_content_hash bytea) returns bytea
language sql immutable as $$
  select sha256(p_previous || int4send(p_number) || p_content_hash)
$$;
