-- The call that a proposal came by, as text of JSON.
create or replace function proposals.request_of(p_proposal proposals.proposals) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select (jsonb_build_object('kind', p_proposal.kind, 'payload', p_proposal.payload)
    || case when p_proposal.prose is null then '{}' else jsonb_build_object('untrusted_text', p_proposal.prose) end)::text
$$;
